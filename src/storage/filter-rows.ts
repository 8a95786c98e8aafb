import type Database from 'better-sqlite3';
import { checkFilter } from '../core/check-filter.js';
import { documentFields, type FilterDocument, filterFields, filterPredicate } from '../core/filter.js';
import { createLru } from '../core/lru.js';
import type { Filter } from '../core/ports.js';
import type { Groups } from '../kernels/best-of-groups.js';
import type { PostingsSource } from '../kernels/bm25.js';
import { storedMetadata, undetermined } from './stored.js';

/** Filters whose rows are kept for one state of the index; each takes a byte for each chunk. */
const maxKept = 16;

/** What a filter lets through. */
export interface FilteredRows {
  readonly documents: number;
  readonly chunks: number;
  /** By row of `chunks`: 1 where the chunk passes. */
  readonly allow: Uint8Array;
}

/**
 * Answers filters about one state of the index. A filter is evaluated over the rows of documents, once; no part of it
 * comes into a statement. `lengths` is 0 where there is no chunk of that row.
 *
 * @throws SurmiseError `bad_argument` for what is no filter
 */
export function createRowFilter(
  database: Database.Database,
  { of, count }: Groups,
  lengths: PostingsSource['lengths'],
): (where: Filter) => FilteredRows {
  const kept = createLru<FilteredRows>(maxKept);
  return (where) => {
    const filter = checkFilter(where);
    const key = JSON.stringify(filter);
    const rows = kept.get(key) ?? chunksOf(passingDocuments(database, filter, count), of, lengths);
    kept.set(key, rows);
    return rows;
  };
}

function chunksOf(
  { passing, documents }: { passing: Uint8Array; documents: number },
  of: Uint32Array,
  lengths: PostingsSource['lengths'],
): FilteredRows {
  const allow = new Uint8Array(of.length);
  let chunks = 0;
  for (let row = 0; row < of.length; row++) {
    if (lengths[row] === 0 || passing[of[row]!] === 0) continue;
    allow[row] = 1;
    chunks++;
  }
  return { documents, chunks, allow };
}

/**
 * By row of `documents`: 1 where the document passes. Only the columns that the filter looks at are read; those of a
 * document's own fields have the same names.
 */
function passingDocuments(database: Database.Database, filter: Filter, count: number) {
  const fields = filterFields(filter);
  const hasMetadata = [...fields].some((field) => !documentFields.some((own) => own === field));
  // The path of a document without one is its id, which the table says itself.
  const wanted = documentFields.filter((field) => fields.has(field));
  const names = ['row', ...wanted, ...(hasMetadata ? ['metadata'] : [])];
  const rows = database
    .prepare(`SELECT ${names.join(', ')} FROM documents`)
    .raw()
    .iterate();
  const passes = filterPredicate(filter);
  const passing = new Uint8Array(count);
  let documents = 0;
  for (const values of rows as Iterable<[number, ...unknown[]]>) {
    const document: Record<string, unknown> = {};
    for (let at = 0; at < wanted.length; at++) document[wanted[at]!] = values[at + 1];
    if (document.language === undetermined) document.language = '';
    if (hasMetadata) document.metadata = storedMetadata(values[wanted.length + 1] as string);
    if (!passes(document as unknown as FilterDocument)) continue;
    passing[values[0]] = 1;
    documents++;
  }
  return { passing, documents };
}
