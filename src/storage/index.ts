export type { CheckProgress } from './check.js';
export type { StoredCollection } from './collections.js';
export { type CachedEmbedder, cachedEmbedder, type EmbeddingCacheOptions } from './embedding-cache.js';
export type { CheckProblem, ProblemKind } from './findings.js';
export { indexVersion } from './index-version.js';
export type { CheckOptions, CheckReport, CompactReport, RepairReport } from './maintenance.js';
export type { Access } from './open.js';
export { openSqliteStore, type SqliteStore } from './sqlite-store.js';
export type { SqliteStoreOptions } from './store-options.js';
