import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import type { Json } from '../core/ports.js';
import { isWellFormed } from '../core/well-formed.js';
import { decoded } from './stored.js';

const longestName = 100;

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

/** @throws SurmiseError `bad_argument` for a name that is empty, too long or no text, and for settings that are not JSON */
export function writeCollection(database: Database.Database, name: string, settings: Json): void {
  const isText = typeof name === 'string' && isWellFormed(name) && !/\p{Cc}/u.test(name);
  if (!isText || name.trim() === '' || name.length > longestName)
    throw new SurmiseError(
      'bad_argument',
      `A collection needs a name of 1 to ${longestName} characters, without control characters.`,
    );
  const json = jsonOf(settings);
  if (json === undefined)
    throw new SurmiseError('bad_argument', `The settings of the collection "${name}" can not be written as JSON.`);
  database.prepare('INSERT OR REPLACE INTO collections (name, settings) VALUES (?, ?)').run(name, json);
}

function jsonOf(settings: Json): string | undefined {
  try {
    return JSON.stringify(settings) as string | undefined;
  } catch {
    return undefined;
  }
}

export function removeCollection(database: Database.Database, name: string): void {
  if (typeof name !== 'string') throw new SurmiseError('bad_argument', 'The name of a collection must be a text.');
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}
