import { type Reranker, SurmiseError } from '../core/index.js';
import { localModel } from './model-settings.js';

/**
 * The reranker of `--rerank`: `local:` with the folder of a cross-encoder, or the name of one in the cache folder.
 *
 * @throws SurmiseError `bad_argument`, `unreadable`, `bad_data`, `provider_failed`
 */
export async function openReranker(named: string | undefined): Promise<Reranker | undefined> {
  if (named === undefined) return undefined;
  const model = localModel(named);
  if (model === undefined)
    throw new SurmiseError('bad_argument', `There is no reranker "${named}". There are: local:FOLDER, local:NAME.`);
  const { crossEncoder } = await import('../local/index.js');
  return crossEncoder(model);
}
