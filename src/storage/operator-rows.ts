import type Database from 'better-sqlite3';
import { indexParts } from '../core/index-text.js';
import { createLru } from '../core/lru.js';
import { analyze } from '../kernels/analyze.js';
import type { PostingsSource } from '../kernels/bm25.js';
import { fulfillingRows, type QuerySource } from '../kernels/bm25-query.js';
import type { OperatorRows } from './index-state.js';
import { storedOutline } from './outline.js';
import { termsReader } from './segments.js';
import { corrupt } from './stored.js';
import { type StoredText, textReader } from './text-blocks.js';

/** Requirements whose rows are kept for one state of the index; each takes a byte for each chunk. */
const maxKept = 8;

/** Phrases are looked for in the texts of the chunks that hold all of their words: positions are not stored. */
export function operatorRows(database: Database.Database, postings: PostingsSource): OperatorRows {
  const source: QuerySource = {
    size: postings.size,
    averageLength: postings.averageLength,
    lengths: postings.lengths,
    postings: (term) => postings.postings(term),
    id: (row) => postings.id(row),
    termsFrom: termsReader(database),
    termsOf: rowReader(database),
  };
  const kept = createLru<Uint8Array>(maxKept);
  return {
    source,
    fulfilling(require) {
      const key = JSON.stringify([require.must, require.not]);
      const rows = kept.get(key) ?? fulfillingRows(source, require) ?? everyRow(postings);
      kept.set(key, rows);
      return rows;
    },
  };
}

function everyRow({ lengths }: PostingsSource): Uint8Array {
  return Uint8Array.from(lengths, (length) => (length > 0 ? 1 : 0));
}

type Outline = ReturnType<typeof storedOutline>;

interface ChunkRow {
  readonly document: number;
  readonly start: number;
  readonly end: number;
  readonly heading: number | null;
  readonly header: number | null;
  readonly title: string;
  readonly language: string;
  readonly characters: number;
  readonly outline: number;
}

/** The terms of a chunk in the order of its text, as it was indexed. */
function rowReader(database: Database.Database): QuerySource['termsOf'] {
  const select = database.prepare(
    `SELECT c.document, c."start", c."end", c.heading, c.header, d.title, d.language, d.characters, d.outline
     FROM chunks c JOIN documents d ON d.row = c.document WHERE c.row = ?`,
  );
  const open = textReader(database);
  // Rows come in order, so those of one document follow one another.
  let last: { readonly document: number; readonly text: StoredText; readonly outline: Outline } | undefined;
  return (row) => {
    const chunk = select.get(row) as ChunkRow | undefined;
    if (chunk === undefined) throw corrupt('Postings of a chunk that is not there');
    const { document, start, end, heading, header, title, language } = chunk;
    if (last?.document !== document) {
      const text = open({ ...chunk, row: document });
      last = { document, text, outline: storedOutline(text.outline) };
    }
    const { text, outline } = last;
    const parts = indexParts(title, outline.heading(heading), text.slice(start, end), outline.header(header));
    const terms: (string | undefined)[] = [];
    for (const part of parts) {
      for (const term of analyze(part, language)) terms.push(term);
      terms.push(undefined);
    }
    return terms;
  };
}
