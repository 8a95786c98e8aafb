import { type Merged, mergeSegments } from './bm25-merge.js';
import type { Part } from './bm25-parts.js';
import { createGrowingSegment, type Segment } from './bm25-segment.js';
import { type DeadRows, isDead, noDeadRows, withDeadRows } from './dead-rows.js';
import { segmentsToMerge } from './merge-policy.js';
import { indexOfRow } from './postings-sets.js';

/** A segment of an index. Documents have serial numbers in the order in which they were added; none is used twice. */
export interface HeldSegment {
  readonly segment: Segment;
  /** Of each row, ascending. */
  readonly serials: ArrayLike<number>;
  dead: DeadRows;
}

/** The segments of an index: the last one grows, the others are merged a little with every write. */
export interface Segments {
  /** Live documents. */
  readonly size: number;
  /** By field, the terms of all live documents. */
  readonly totals: readonly number[];
  /** Neighbours in order of their serials; the growing one is not among them while it is empty. */
  readonly held: readonly HeldSegment[];
  /** What readers need of this moment. */
  parts(): Part[];
  /** The place of a live document among the rows of all parts. */
  rowOf(serial: number): number;
  /** Returns the serial. */
  append(id: string, byField: readonly (readonly string[])[]): number;
  /** The document must be live. */
  remove(serial: number): void;
  /** Rows that come later go into another segment. */
  seal(): void;
  /** The merging that writes since the last call have to do. Throws as `merge` does. */
  settle(): void;
  /**
   * Merges about so many entries; false when nothing is left to merge. What a segment throws that can not be read is
   * thrown once; its segments stay as they are.
   */
  merge(entries: number): boolean;
}

interface MergeJob {
  readonly inputs: readonly HeldSegment[];
  readonly run: Generator<number, Merged>;
  readonly entries: number;
  /** Serials of inputs that died since it began. */
  readonly removed: number[];
}

/** The growing segment is sealed at so many rows or entries. */
const mostGrowingRows = 65_536;
const mostGrowingEntries = 4_194_304;
/** With more dead rows than live ones it is sealed at so many, to be merged without them. */
const fewestSealedRows = 1_024;
/**
 * Units of merging for each term that is written or removed. An entry takes three at most in each level of eightfold
 * size, so merging keeps up with writing up to ten levels.
 */
const workPerTerm = 32;

/** @param loaded segments in order of their serials, which all lie below `loadedSerials` */
export function createSegments(
  fields: number,
  keepsSequences: boolean,
  loaded: readonly HeldSegment[] = [],
  loadedSerials = 0,
): Segments {
  let sealed: HeldSegment[] = [...loaded];
  const busy = new Map<HeldSegment, MergeJob>();
  const jobs = new Set<MergeJob>();
  const totals = new Array<number>(fields).fill(0);
  let size = 0;
  let nextSerial = loadedSerials;
  let owed = 0;
  let growing = createGrowingSegment(fields, keepsSequences);
  let growingSerials: number[] = [];
  let last: HeldSegment = { segment: growing, serials: growingSerials, dead: noDeadRows };
  for (const held of loaded) countLive(held);
  plan();

  function countLive({ segment, dead }: HeldSegment): void {
    size += segment.rows - dead.count;
    for (let field = 0; field < fields; field++) {
      const lengths = segment.lengths(field);
      let total = 0;
      for (let row = 0; row < segment.rows; row++) if (dead.count === 0 || !isDead(dead, row)) total += lengths[row]!;
      totals[field]! += total;
    }
  }

  const all = () => (growing.rows === 0 ? sealed : [...sealed, last]);

  function seal(): void {
    if (growing.rows === 0) return;
    if (last.dead.count < growing.rows) sealed.push(last);
    growing = createGrowingSegment(fields, keepsSequences);
    growingSerials = [];
    last = { segment: growing, serials: growingSerials, dead: noDeadRows };
    plan();
  }

  function begin(inputs: readonly HeldSegment[]): void {
    const run = mergeSegments(
      inputs.map(({ segment, dead, serials }) => ({ segment, dead, serials })),
      fields,
      keepsSequences,
    );
    const entries = inputs.reduce((sum, { segment }) => sum + segment.entries, 0);
    const job = { inputs, run, entries, removed: [] };
    jobs.add(job);
    for (const held of inputs) busy.set(held, job);
  }

  /** Begins what there is to merge among neighbours that are free. */
  function plan(): void {
    let free: HeldSegment[] = [];
    const planFree = () => {
      const groups = segmentsToMerge(free.map(({ segment, dead }) => segment.rows - dead.count));
      for (const { start, end } of groups) begin(free.slice(start, end));
      free = [];
    };
    for (const held of sealed) {
      if (!busy.has(held) && isHalfDead(held)) begin([held]);
      if (busy.has(held)) planFree();
      else free.push(held);
    }
    planFree();
  }

  function finish(job: MergeJob, { segment, serials }: Merged): void {
    jobs.delete(job);
    for (const input of job.inputs) busy.delete(input);
    const removed = job.removed.map((serial) => indexOfRow(serials, serial));
    const made: HeldSegment = { segment, serials, dead: withDeadRows(noDeadRows, removed) };
    const start = sealed.indexOf(job.inputs[0]!);
    sealed = [
      ...sealed.slice(0, start),
      ...(made.dead.count < segment.rows ? [made] : []),
      ...sealed.slice(start + job.inputs.length),
    ];
    plan();
  }

  /** Returns what is left of the work. */
  function proceed(job: MergeJob, work: number): number {
    let left = work;
    try {
      while (left > 0) {
        const step = job.run.next();
        if (step.done) {
          finish(job, step.value);
          break;
        }
        left -= step.value;
      }
    } catch (error) {
      // Its segments stay busy: they would fail again.
      jobs.delete(job);
      throw error;
    }
    return left;
  }

  function merge(entries: number): boolean {
    let left = entries;
    while (left > 0 && jobs.size > 0) {
      // The smallest first, so that small segments do not pile up beside a large merge.
      const smallest = [...jobs].reduce((least, other) => (other.entries < least.entries ? other : least));
      left = proceed(smallest, left);
    }
    return jobs.size > 0;
  }

  function find(serial: number) {
    const neighbours = all();
    const at = neighbours.findLastIndex(({ serials }) => serials[0]! <= serial);
    const held = neighbours[at]!;
    const base = neighbours.slice(0, at).reduce((sum, { segment }) => sum + segment.rows, 0);
    return { held, base, row: indexOfRow(held.serials, serial) };
  }

  return {
    get size() {
      return size;
    },
    totals,
    get held() {
      return all();
    },
    parts: () => all().map(({ segment, dead }) => ({ segment, rows: segment.rows, dead })),
    rowOf(serial) {
      const { base, row } = find(serial);
      return base + row;
    },
    append(id, byField) {
      const serial = nextSerial++;
      growing.append(id, byField);
      growingSerials.push(serial);
      size++;
      owed += workPerTerm;
      byField.forEach((list, field) => {
        totals[field]! += list.length;
        owed += workPerTerm * list.length;
      });
      if (growing.rows >= mostGrowingRows || growing.entries >= mostGrowingEntries) seal();
      return serial;
    },
    remove(serial) {
      const { held, row } = find(serial);
      held.dead = withDeadRows(held.dead, [row]);
      size--;
      owed += workPerTerm;
      for (let field = 0; field < fields; field++) {
        const length = held.segment.lengths(field)[row]!;
        totals[field]! -= length;
        owed += workPerTerm * length;
      }
      const job = busy.get(held);
      if (job !== undefined) job.removed.push(serial);
      else if (held === last) {
        if (growing.rows >= fewestSealedRows && isHalfDead(last)) seal();
      } else if (held.dead.count === held.segment.rows) {
        sealed = sealed.filter((other) => other !== held);
        plan();
      } else if (isHalfDead(held)) plan();
    },
    seal,
    settle() {
      const work = owed;
      owed = 0;
      merge(work);
    },
    merge,
  };
}

function isHalfDead({ segment, dead }: HeldSegment): boolean {
  return dead.count * 2 > segment.rows;
}
