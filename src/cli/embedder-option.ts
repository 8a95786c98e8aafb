import { join } from 'node:path';
import type { Embedder, StoreInfo } from '../core/index.js';
import { cacheFolder } from './index-path.js';

/** What stands before the folder or the name of a sentence encoder. */
const local = 'local:';

/**
 * The embedder of `--embedder`: `static` (the package's own table), `none`, `local:` with the folder of a sentence
 * encoder or the name of one in the cache folder, or the path of a table. Where nothing is named, an index that holds no
 * vectors although it is not empty stays without; every other gets the static one.
 *
 * @throws SurmiseError `unreadable`, `bad_data`, `bad_argument`, `provider_failed`
 */
export async function openEmbedder(named: string | undefined, info?: StoreInfo): Promise<Embedder | undefined> {
  const withoutVectors = info !== undefined && info.chunks > 0 && info.vectors === 0;
  if (named === 'none' || (named === undefined && withoutVectors)) return undefined;
  const { loadStaticEmbedder, sentenceEncoder } = await import('../local/index.js');
  if (named?.startsWith(local))
    return sentenceEncoder({ model: named.slice(local.length), cache: join(cacheFolder(), 'models') });
  return named === undefined || named === 'static' ? loadStaticEmbedder() : loadStaticEmbedder(named);
}

interface KeptEmbedder {
  readonly embedder: Embedder | undefined;
  readonly close: () => void;
}

/**
 * The same for measuring, where the same texts are asked for again and again: vectors of a model that takes its time are
 * kept in the cache folder.
 */
export async function openKeptEmbedder(named: string, keep: boolean): Promise<KeptEmbedder> {
  const embedder = await openEmbedder(named);
  if (embedder === undefined || !keep || !named.startsWith(local)) return { embedder, close: () => undefined };
  const { cachedEmbedder } = await import('../storage/index.js');
  const cached = cachedEmbedder(embedder, { path: join(cacheFolder(), 'vectors.db') });
  return { embedder: cached, close: cached.close };
}
