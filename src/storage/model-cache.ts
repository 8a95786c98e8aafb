import { closeSync, existsSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { messageOf, SurmiseError } from '../core/errors.js';
import type { ModelCache } from '../core/ports.js';

/** "SurC" in ASCII: says that an SQLite file keeps what models made. */
const applicationId = 0x53757243;
const version = 1;
const dayMs = 86_400_000;
/** What is evicted at once when the file is full, so that it is not done for every entry. */
const evictedShare = 0.1;
/** A search waits no longer than this for another process. */
const busyMs = 250;
/** Vectors of a few kilobytes fill such pages well. */
const pageSize = 16_384;
const checksumBytes = 4;
const hexDigits = /^(?:[0-9a-f]{2})+$/;

export interface ModelCacheOptions {
  /** The file; it is made when the first thing is kept. */
  readonly path: string;
  /** Bytes of the file at most, its log aside; what was unused longest goes first. Default 256 MiB. */
  readonly maxBytes?: number;
  /** What nobody asked for in so many days goes. Default 90. */
  readonly maxDays?: number;
}

export interface FileModelCache extends ModelCache {
  /** Leaves no byte of what was kept in the file. */
  clear(): Promise<void>;
  close(): void;
}

/**
 * Where what models made for an index is kept: a file beside it, not a part of it, so that a search leaves the index open
 * for reading only, never waits for who writes to it, and makes no other process read the index again.
 */
export function modelCachePath(index: string): string {
  return `${index}.models`;
}

/**
 * What models made, in one SQLite file that several processes may share. Entries have a checksum: a damaged one is as if
 * it were not there.
 *
 * @throws SurmiseError `storage_failed` from each call where the file can not be used
 */
export function openModelCache({ path, maxBytes = 2 ** 28, maxDays = 90 }: ModelCacheOptions): FileModelCache {
  let opened: ReturnType<typeof entriesOf> | undefined;
  let closed = false;
  const use = <T>(work: (entries: ReturnType<typeof entriesOf>) => T): T => {
    try {
      if (closed) throw new Error('it has been closed');
      opened ??= entriesOf(openFile(path), maxBytes, maxDays);
      return work(opened);
    } catch (cause) {
      throw new SurmiseError(
        'storage_failed',
        `The file ${path}, which keeps what models made, can not be used (${messageOf(cause)}). Remove it, or do without: --no-cache.`,
        { cause },
      );
    }
  };
  const isThere = () => opened !== undefined || existsSync(path);
  return {
    async find(keys) {
      return isThere() ? use((entries) => entries.find(keys)) : new Map();
    },
    async keep(values) {
      if (values.size > 0) use((entries) => entries.keep(values));
    },
    async clear() {
      if (isThere()) use((entries) => entries.clear());
    },
    close() {
      closed = true;
      opened?.close();
      opened = undefined;
    },
  };
}

function entriesOf(database: Database.Database, maxBytes: number, maxDays: number) {
  const select = database.prepare<[Buffer], { row: number; value: Buffer; used: number }>(
    'SELECT row, value, used FROM entries WHERE key = ?',
  );
  const touch = database.prepare('UPDATE entries SET used = ? WHERE row = ?');
  const add = database.prepare(
    'INSERT INTO entries (key, value, used) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used',
  );
  const oldest = database.prepare<[], { row: number; bytes: number }>(
    'SELECT row, length(value) AS bytes FROM entries ORDER BY used, row',
  );
  const remove = database.prepare('DELETE FROM entries WHERE row = ?');
  const removeUnused = database.prepare('DELETE FROM entries WHERE used < ?');
  const pragma = (name: string) => database.pragma(name, { simple: true }) as number;
  /** Bytes of the pages that hold something: known without reading them. */
  const size = () => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  const today = () => Math.floor(Date.now() / dayMs);
  let tidied = false;
  const touchAll = database.transaction((rows: readonly number[]) => {
    for (const row of rows) touch.run(today(), row);
  }).immediate;

  const evict = () => {
    let over = size() - maxBytes * (1 - evictedShare);
    const rows: number[] = [];
    for (const { row, bytes } of oldest.iterate()) {
      if (over <= 0) break;
      rows.push(row);
      over -= bytes;
    }
    for (const row of rows) remove.run(row);
  };
  return {
    find(keys: readonly string[]) {
      const found = new Map<string, Uint8Array>();
      const stale: number[] = [];
      for (const key of keys) {
        const stored = select.get(keyBytes(key));
        const value = stored && unsealed(stored.value);
        if (value === undefined) continue;
        found.set(key, value);
        // To the day, so that reading seldom writes.
        if (stored!.used < today()) stale.push(stored!.row);
      }
      try {
        if (stale.length > 0) touchAll(stale);
      } catch {
        // Another process writes, or this one may not: what was found is good, and the next that finds it marks it.
      }
      return found;
    },
    keep: database.transaction((values: ReadonlyMap<string, Uint8Array>) => {
      if (!tidied) removeUnused.run(today() - maxDays);
      tidied = true;
      for (const [key, value] of values) {
        const bytes = sealed(value);
        // One that is larger than what is evicted at once would push out the others for nothing.
        if (bytes.length > maxBytes * evictedShare) continue;
        add.run(keyBytes(key), bytes, today());
      }
      if (size() > maxBytes) evict();
    }).immediate,
    clear() {
      database.exec('DELETE FROM entries; VACUUM');
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => {
      database.close();
    },
  };
}

function openFile(path: string): Database.Database {
  // It holds answers to its user's questions, so nobody else may read it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: busyMs });
  try {
    const [id, found] = ['application_id', 'user_version'].map((name) => database.pragma(name, { simple: true }));
    const isNew = id === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (!isNew && (id !== applicationId || found !== version))
      throw new Error('it is another kind of file, or of another version');
    if (isNew)
      // Another process may be making it as well.
      database.exec(
        `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS entries (row INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL, used INTEGER NOT NULL);
         CREATE INDEX IF NOT EXISTS entries_by_use ON entries (used);
         PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; COMMIT`,
      );
    // What a crash of the machine loses is made again.
    database.pragma('synchronous = OFF');
    database.pragma('secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function keyBytes(key: string): Buffer {
  if (!hexDigits.test(key)) throw new Error('a key must be hex digits, two for each byte');
  return Buffer.from(key, 'hex');
}

function sealed(value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(checksumBytes + value.length);
  bytes.writeUInt32LE(crc32(value));
  bytes.set(value, checksumBytes);
  return bytes;
}

function unsealed(bytes: Buffer): Uint8Array | undefined {
  if (!Buffer.isBuffer(bytes) || bytes.length < checksumBytes) return undefined;
  const value = new Uint8Array(bytes.subarray(checksumBytes));
  return crc32(value) === bytes.readUInt32LE() ? value : undefined;
}
