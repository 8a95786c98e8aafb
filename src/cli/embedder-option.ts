import type { Embedder, StoreInfo } from '../core/index.js';

/**
 * The embedder of `--embedder`: `static` (the package's own table), `none`, or the path of a table. Where nothing is
 * named, an index that holds no vectors although it is not empty stays without; every other gets the static one.
 *
 * @throws SurmiseError `unreadable`, `bad_data`
 */
export async function openEmbedder(named: string | undefined, info?: StoreInfo): Promise<Embedder | undefined> {
  const withoutVectors = info !== undefined && info.chunks > 0 && info.vectors === 0;
  if (named === 'none' || (named === undefined && withoutVectors)) return undefined;
  const { loadStaticEmbedder } = await import('../local/index.js');
  return named === undefined || named === 'static' ? loadStaticEmbedder() : loadStaticEmbedder(named);
}
