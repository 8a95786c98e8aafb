import { type Bm25Parameters, checkBm25Parameters, defaultBm25Parameters } from './bm25.js';
import { damagedPart, manifestName, type PartSource } from './bm25-block-names.js';
import { changesSince, nothingSaved, openBlocks, type SavedState } from './bm25-blocks.js';
import { packParts, unpackParts } from './bm25-bytes.js';
import { createFields, type DocumentTerms, type Field, type FieldBoosts, termsByField } from './bm25-fields.js';
import { type Bm25Reader, createBm25Reader } from './bm25-reader.js';
import { createSegments, type HeldSegment } from './bm25-segments.js';
import { isDead } from './dead-rows.js';
import type { SavedChanges } from './vector-blocks.js';

export interface Bm25IndexOptions {
  readonly parameters?: Bm25Parameters;
  /** Default: one field, `body`, which counts 1. */
  readonly fields?: FieldBoosts;
  /** Keeps the order of terms, 8 bytes for each occurrence: phrases need it. Default false. */
  readonly sequences?: boolean;
}

/**
 * BM25 over lists of terms, in memory. Documents are written to segments, which writes merge in slices: each write does
 * some thirty postings of merging for each of its own, no matter how large the index is, so none waits for a merge.
 * What has been removed counts no more at once, and leaves the memory when its segment is merged. Results, statistics
 * and explanations are at every moment those of an index that was built anew.
 */
export interface Bm25Index extends Bm25Reader {
  /**
   * Replaces the document of that id. A list of terms is the text of the last field. RangeError for an unknown field. Of
   * a loaded index a write may meet damaged parts while it merges: it throws RangeError once, and is done all the same.
   */
  add(id: string, terms: DocumentTerms): void;
  /** False where there is no such id. */
  remove(id: string): boolean;
  /**
   * Merges segments that are due now instead of with later writes: all of them, or about so many postings; a term is not
   * divided. False when nothing is left. For idle moments; without it searches are right as well. RangeError unless the
   * number is more than 0.
   */
  merge(postings?: number): boolean;
  /**
   * What is there now, whatever changes later. Costs a few words for each segment, of which there are some dozens; its
   * first `has` or `explain` takes time for all ids.
   */
  snapshot(): Bm25Reader;
  /**
   * What changed since the last call, or since the index was loaded, to be written at once; with `all`, everything. Parts
   * are segments: documents that were added since make one, which is written with its merges once for each eightfold of
   * the size; a removal writes 1 KB. All parts have checksums. k1 and b are not saved.
   */
  toBlocks(options?: { readonly all?: boolean }): SavedChanges;
  /** All parts as one, for `loadBm25Index`; what `toBlocks` gives next is not changed by that. */
  save(): Uint8Array;
}

/** No documents yet. RangeError for parameters, fields or boosts that can not be. */
export function createBm25Index(options: Bm25IndexOptions = {}): Bm25Index {
  const { parameters = defaultBm25Parameters, fields, sequences = false } = options;
  return bm25IndexOf(
    { fields: createFields(fields), sequences, held: [], serials: 0, saved: nothingSaved },
    parameters,
  );
}

/**
 * What `save` gave, or the parts that `toBlocks` wrote, by name. Reads the lengths of documents; of postings a search
 * reads those of its terms only, ids are read for hits, all of them for the first write and the first `has` or `explain`.
 *
 * Parts are read when they are first needed: from a copy of a Map, or else from `get`, which must give what was written
 * as long as the index or a snapshot of it is used, so that what `toBlocks` says to remove may go when no earlier
 * snapshot is left.
 *
 * @throws RangeError for parts that are missing, damaged, of another state or version; by searches and writes as well
 */
export function loadBm25Index(
  saved: Uint8Array | PartSource,
  parameters: Bm25Parameters = defaultBm25Parameters,
): Bm25Index {
  if (saved instanceof Uint8Array)
    return bm25IndexOf({ ...openBlocks(unpackParts(saved)), saved: nothingSaved }, parameters);
  return bm25IndexOf(openBlocks(saved instanceof Map ? new Map(saved) : saved), parameters);
}

interface Contents {
  readonly fields: readonly Field[];
  readonly sequences: boolean;
  readonly held: readonly HeldSegment[];
  /** Documents so far. */
  readonly serials: number;
  readonly saved: SavedState;
}

function bm25IndexOf(
  { fields, sequences, held, serials: loadedSerials, saved: savedBefore }: Contents,
  parameters: Bm25Parameters,
): Bm25Index {
  checkBm25Parameters(parameters);
  const segments = createSegments(fields.length, sequences, held, loadedSerials);
  let saved = savedBefore;
  let current: ReturnType<typeof createBm25Reader> | undefined;
  let known: Map<string, number> | undefined;
  /** What `known` is to be read from. */
  let unread = held;

  /** Serials of live documents. */
  function serialOf(): Map<string, number> {
    if (known !== undefined) return known;
    const found = new Map<string, number>();
    for (const { segment, serials, dead } of unread) {
      for (let row = 0; row < segment.rows; row++) {
        if (isDead(dead, row)) continue;
        const id = segment.id(row);
        if (found.has(id)) throw damagedPart(manifestName, `has segments that hold "${id}" twice`);
        found.set(id, serials[row]!);
      }
    }
    unread = [];
    known = found;
    return found;
  }

  function state() {
    const { size, totals } = segments;
    current ??= createBm25Reader({ parameters, fields, parts: segments.parts(), size, totals: [...totals], sequences });
    return current;
  }

  function forget(id: string): boolean {
    const serial = serialOf().get(id);
    if (serial === undefined) return false;
    current = undefined;
    serialOf().delete(id);
    segments.remove(serial);
    return true;
  }

  function encode(known: SavedState, all: boolean) {
    return changesSince(known, segments.held, { fields, sequences }, all);
  }

  return {
    parameters,
    get size() {
      return segments.size;
    },
    get averageLength() {
      return state().reader.averageLength;
    },
    add(id, terms) {
      const byField = termsByField(fields, terms);
      forget(id);
      current = undefined;
      serialOf().set(id, segments.append(id, byField));
      segments.settle();
    },
    remove(id) {
      const was = forget(id);
      segments.settle();
      return was;
    },
    has: (id) => serialOf().has(id),
    frequency: (term) => state().reader.frequency(term),
    search: (query, options) => state().reader.search(query, options),
    explain(id, query) {
      const serial = serialOf().get(id);
      return serial === undefined ? undefined : state().explainRow(segments.rowOf(serial), query);
    },
    merge(postings = Number.POSITIVE_INFINITY) {
      if (!(postings > 0)) throw new RangeError(`The postings to merge must be more than 0, got ${postings}.`);
      current = undefined;
      return segments.merge(postings);
    },
    snapshot: () => state().reader,
    toBlocks({ all = false } = {}) {
      segments.seal();
      const { changes, saved: next } = encode(saved, all);
      saved = next;
      return changes;
    },
    save: () => packParts(encode(nothingSaved, true).changes.write),
  };
}
