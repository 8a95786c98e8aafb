export { indexVersion } from './index-version.js';
export type { Access } from './open.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.js';
