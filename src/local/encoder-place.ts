import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { reasonOf, SurmiseError } from '../core/errors.js';
import type { EncoderDtype } from './encoder-folder.js';
import { type TransformersJs, withOneThread } from './transformers-js.js';

/** Where an encoder's files are. */
export interface EncoderPlace {
  readonly folder: string;
  /** transformers.js wants the folder around it and the name below that. */
  readonly root: string;
  readonly id: string;
}

export interface PlaceOptions {
  readonly model: string;
  readonly cache?: string;
  readonly download?: boolean;
  readonly dtype?: EncoderDtype;
}

/** An owner and a name, or a name, as the hub has them; none of them leads out of the folder. */
const modelName = /^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)?$/;

/**
 * The folder of an encoder, or that of its name in the cache, where it is fetched to if that is wanted.
 *
 * @throws SurmiseError `unreadable` where it is not there, `provider_failed` where it can not be fetched
 */
export async function placeEncoder(
  transformers: TransformersJs,
  { model, cache, download = false, dtype = 'fp32' }: PlaceOptions,
): Promise<EncoderPlace> {
  if (model === '') throw new SurmiseError('bad_argument', 'The name of the encoder is empty.');
  const folder = resolve(model);
  if (existsSync(folder)) return { folder, root: dirname(folder), id: basename(folder) };
  if (cache === undefined || !modelName.test(model))
    throw new SurmiseError(
      'unreadable',
      `There is no folder ${folder}. Name a folder with config.json, tokenizer.json and onnx/model.onnx.`,
    );
  const root = resolve(cache);
  const kept = { folder: join(root, model), root, id: model };
  if (download) await fetchFiles(transformers, kept, dtype);
  else if (!existsSync(kept.folder))
    throw new SurmiseError(
      'unreadable',
      `The encoder ${model} is neither a folder nor in ${root}, and nothing is fetched unasked. Put its files into ${kept.folder}.`,
    );
  return kept;
}

/** What is there already is not fetched again. */
async function fetchFiles(
  { AutoTokenizer, AutoModel }: TransformersJs,
  { id, root }: EncoderPlace,
  dtype: EncoderDtype,
): Promise<void> {
  try {
    await AutoTokenizer.from_pretrained(id, { cache_dir: root });
    const loaded = await AutoModel.from_pretrained(id, { ...withOneThread(root, dtype), local_files_only: false });
    await loaded.dispose();
  } catch (cause) {
    throw new SurmiseError('provider_failed', `The encoder ${id} can not be fetched: ${reasonOf(cause)}`, { cause });
  }
}
