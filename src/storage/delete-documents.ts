import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import { compactWhenDue } from './compact.js';

/**
 * Removes documents with their chunks and vectors; returns how many there were.
 *
 * @throws SurmiseError `bad_argument` for ids that are no strings
 */
export function deleteDocuments(database: Database.Database, ids: readonly string[]): number {
  // A list in the list would be bound like an id.
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw new SurmiseError('bad_argument', 'The ids of documents to delete must be a list of texts.');
  const remove = database.prepare('DELETE FROM documents WHERE id = ?');
  return database
    .transaction(() => {
      const count = ids.reduce((sum, id) => sum + remove.run(id).changes, 0);
      if (count > 0) compactWhenDue(database);
      return count;
    })
    .immediate();
}
