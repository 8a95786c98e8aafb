import type Database from 'better-sqlite3';
import { type Json, SurmiseError } from '../core/index.js';
import { decoded } from './stored.js';

/** A collection as it was set up: what it takes in is its caller's to say. */
export interface StoredCollection {
  readonly name: string;
  readonly settings: Json;
}

/** In order of name. */
export function readCollections(database: Database.Database): StoredCollection[] {
  const rows = database.prepare('SELECT name, settings FROM collections ORDER BY name').raw().all() as [
    string,
    string,
  ][];
  return rows.map(([name, json]) => ({
    name,
    settings: decoded('the settings of a collection', () => JSON.parse(json) as Json),
  }));
}

/** @throws SurmiseError `bad_argument` for an empty name and for settings that are not JSON */
export function writeCollection(database: Database.Database, name: string, settings: Json): void {
  if (typeof name !== 'string' || name.trim() === '' || /\p{Surrogate}|\0/u.test(name))
    throw new SurmiseError('bad_argument', 'A collection needs a name that is not empty.');
  const json: unknown = JSON.stringify(settings);
  if (typeof json !== 'string')
    throw new SurmiseError('bad_argument', `The settings of the collection "${name}" can not be written as JSON.`);
  database.prepare('INSERT OR REPLACE INTO collections (name, settings) VALUES (?, ?)').run(name, json);
}

export function removeCollection(database: Database.Database, name: string): void {
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}
