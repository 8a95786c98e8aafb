export { indexVersion } from './index-version.js';
export type { Access } from './open.js';
export { openSqliteStore } from './sqlite-store.js';
export type { SqliteStoreOptions } from './store-options.js';
