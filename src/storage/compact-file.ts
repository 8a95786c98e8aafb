import { rewriteFile } from './compact.js';
import type { Connection } from './connection.js';
import { sizeOf } from './read.js';

export interface CompactReport {
  /** Bytes of the file and its log. */
  readonly before: number;
  readonly after: number;
}

/** What models made for the index goes as well: vectors of texts that are gone among them. */
export async function compactFile(connection: Connection): Promise<CompactReport> {
  const { path, memory } = connection;
  const bytes = () => (memory ? 0 : sizeOf(path) + sizeOf(`${path}-wal`));
  // It takes its turn at once: what is asked for later comes later.
  return connection.alone((database) => {
    const before = bytes();
    rewriteFile(database);
    const report = { before, after: bytes() };
    return memory ? report : clearModelCache(path).then(() => report);
  });
}

async function clearModelCache(index: string): Promise<void> {
  const { modelCachePath, openModelCache } = await import('./model-cache.js');
  const cache = openModelCache({ path: modelCachePath(index) });
  try {
    await cache.clear();
  } finally {
    cache.close();
  }
}
