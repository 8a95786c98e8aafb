import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { storeContract } from '../contract/store.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
storeContract('SQLite in memory', async () => openSqliteStore({ path: ':memory:' }));
storeContract('SQLite in a file', async () => openSqliteStore({ path: join(folder, `new/${files++}/index.db`) }));
