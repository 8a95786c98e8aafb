import { join } from 'node:path';
import { type Reranker, SurmiseError } from '../core/index.js';
import { cacheFolder } from './index-path.js';

/** What stands before the folder or the name of a cross-encoder. */
const local = 'local:';

/**
 * The reranker of `--rerank`: `local:` with the folder of a cross-encoder, or the name of one in the cache folder.
 *
 * @throws SurmiseError `bad_argument`, `unreadable`, `bad_data`, `provider_failed`
 */
export async function openReranker(named: string | undefined): Promise<Reranker | undefined> {
  if (named === undefined) return undefined;
  if (!named.startsWith(local))
    throw new SurmiseError('bad_argument', `There is no reranker "${named}". There are: ${local}FOLDER, ${local}NAME.`);
  const { crossEncoder } = await import('../local/index.js');
  return crossEncoder({ model: named.slice(local.length), cache: join(cacheFolder(), 'models') });
}
