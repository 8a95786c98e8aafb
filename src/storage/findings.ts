/**
 * `file`: SQLite's own pages and indexes. `references`: rows that belong to nothing. `document`: a text, a chunk or a vector
 * that can not be read. `fingerprint`: of which embedder the vectors are. `postings`: what words are searched by.
 */
export type ProblemKind = 'file' | 'references' | 'document' | 'fingerprint' | 'postings';

export interface CheckProblem {
  readonly kind: ProblemKind;
  readonly count: number;
  /** The first of them, ten at most. */
  readonly examples: readonly string[];
}

const maxExamples = 10;
/** Ids that are named; all are counted. */
export const maxNamedDocuments = 1_000;

export interface Findings {
  add(kind: ProblemKind, example: string, count?: number): void;
  addDocument(row: number, id: string, reason: string): void;
  has(kind: ProblemKind): boolean;
  readonly problems: CheckProblem[];
  /** Rows and ids of the documents that are damaged. */
  readonly damaged: ReadonlyMap<number, string>;
}

export function createFindings(): Findings {
  const byKind = new Map<ProblemKind, { count: number; examples: string[] }>();
  const damaged = new Map<number, string>();
  const add: Findings['add'] = (kind, example, count = 1) => {
    const entry = byKind.get(kind) ?? { count: 0, examples: [] };
    entry.count += count;
    if (entry.examples.length < maxExamples) entry.examples.push(example);
    byKind.set(kind, entry);
  };
  return {
    add,
    addDocument(row, id, reason) {
      damaged.set(row, id);
      add('document', `${id}: ${reason}`);
    },
    has: (kind) => byKind.has(kind),
    get problems() {
      return [...byKind].map(([kind, { count, examples }]) => ({ kind, count, examples }));
    },
    damaged,
  };
}
