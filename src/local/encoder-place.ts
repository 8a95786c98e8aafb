import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
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
  if (existsSync(kept.folder)) {
    // Of a model that is there, weights in another format may be missing.
    if (download) await fetchFiles(transformers, kept, dtype);
  } else if (download) await fetchWhole(transformers, kept, dtype);
  else
    throw new SurmiseError(
      'unreadable',
      `The encoder ${model} is neither a folder nor in ${root}, and nothing is fetched unasked. Put its files into ${kept.folder}.`,
    );
  return kept;
}

/** What a process that was killed has left behind is removed after so long; until then another one may be at it. */
const draftMs = 24 * 3_600_000;
const draftPrefix = '.fetching-';

/** A model lies elsewhere until all of it is there, so a folder of its name is never half of one. */
async function fetchWhole(transformers: TransformersJs, place: EncoderPlace, dtype: EncoderDtype): Promise<void> {
  const { folder, root, id } = place;
  await mkdir(root, { recursive: true });
  await removeOldDrafts(root);
  const draft = await mkdtemp(join(root, draftPrefix));
  try {
    await fetchFiles(transformers, { ...place, root: draft }, dtype);
    await mkdir(dirname(folder), { recursive: true });
    await rename(join(draft, id), folder).catch((error: unknown) => {
      // Another process was quicker, with the same files.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeOldDrafts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(root, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - changed > draftMs) await rm(path, { recursive: true, force: true });
  }
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
