import type { Groups } from './best-of-groups.js';
import type { Int8Block } from './int8-blocks.js';
import { createLargest, createLargestOfGroups } from './largest.js';
import type { QuantizedQuery } from './quantize.js';

export interface WantedScores {
  /** How many of the best. */
  readonly k: number;
  /** Scores below are not wanted. */
  readonly minScore: number;
  /** The best of each of the best k groups are wanted as well. */
  readonly groups: Groups | undefined;
}

/** Rows, ascending, and the bounds of their scores. */
export interface Candidates {
  readonly rows: number[];
  readonly lowers: number[];
  readonly uppers: number[];
}

/** Collects the rows whose score has to be computed. */
export interface ScoreBounds {
  /** Rows whose upper bound is below this and whose lower bound is above `least` need not be offered any more. */
  readonly top: number;
  readonly least: number;
  /** Takes the first `count` of the rows that a scan of a block found; row 0 of the block is row `base` of all. */
  offer(found: Int32Array, count: number, block: Int8Block, from: number, base: number): void;
  /** Rows whose score has to be computed. */
  candidates(): Candidates;
}

/**
 * Every score S of a row is known to lie in [L, U], see `quantizeQuery`, and is clamped to [-1, 1] afterwards. Kept are
 *
 * - rows with U ≥ the k-th largest L: k rows score at least that, so a row below is neither among the best k nor equal to
 *   the last of them;
 * - with groups, rows with U ≥ the largest L of their group (others are not its best) and U ≥ the k-th largest of these
 *   largest Ls (others are of a group behind the best k);
 * - rows with U ≥ the largest L, and rows with L ≤ the smallest U: the highest and the lowest score are among them.
 *
 * The bounds only tighten while rows come, so a row that fails them is forgotten at once, and one that came before they
 * were tight is looked at again in the end.
 */
export function createScoreBounds({ k, minScore, groups }: WantedScores, query: QuantizedQuery): ScoreBounds {
  const { scale, slope, offset } = query;
  const largest = createLargest(k);
  const ofGroups = groups && createLargestOfGroups(k, groups.count);
  const floor = threshold(minScore);
  const rows: number[] = [];
  const lowers: number[] = [];
  const uppers: number[] = [];
  let maxLower = Number.NEGATIVE_INFINITY;
  let minUpper = Number.POSITIVE_INFINITY;
  /** What a row needs to be among the best k, or the best. */
  let topRow = Number.NEGATIVE_INFINITY;
  /** What a row needs to be the best of one of the best k groups. */
  let topGroup = ofGroups ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;

  function tighten(row: number, lower: number, upper: number): void {
    if (upper < minUpper) {
      minUpper = upper;
      least = ceiling(upper);
    }
    if (lower > maxLower) maxLower = lower;
    largest.offer(lower);
    topRow = Math.min(threshold(maxLower), Math.max(floor, threshold(largest.least())));
    if (ofGroups === undefined) return;
    ofGroups.offer(groups!.of[row]!, lower);
    topGroup = Math.max(floor, threshold(ofGroups.least()));
  }

  function matters(row: number, lower: number, upper: number): boolean {
    if (upper >= topRow || lower <= least) return true;
    return ofGroups !== undefined && upper >= topGroup && upper >= threshold(ofGroups.of(groups!.of[row]!));
  }

  return {
    get top() {
      return Math.min(topRow, topGroup);
    },
    get least() {
      return least;
    },
    offer(found, count, { scales, errors }, from, base) {
      for (let next = 0; next < count; next++) {
        const at = from + found[2 * next]!;
        const row = base + at;
        const score = scale * scales[at]! * found[2 * next + 1]!;
        const error = slope * errors[at]! + offset;
        if (!matters(row, score - error, score + error)) continue;
        tighten(row, score - error, score + error);
        rows.push(row);
        lowers.push(score - error);
        uppers.push(score + error);
      }
    },
    candidates() {
      const kept: Candidates = { rows: [], lowers: [], uppers: [] };
      for (let at = 0; at < rows.length; at++) {
        if (!matters(rows[at]!, lowers[at]!, uppers[at]!)) continue;
        kept.rows.push(rows[at]!);
        kept.lowers.push(lowers[at]!);
        kept.uppers.push(uppers[at]!);
      }
      return kept;
    },
  };
}

/** What an upper bound must reach so that the clamped score may reach a clamped score of at least `lower`. */
function threshold(lower: number): number {
  return lower <= -1 ? Number.NEGATIVE_INFINITY : Math.min(1, lower);
}

/** What a lower bound may be so that the clamped score may be as low as a clamped score of at most `upper`. */
function ceiling(upper: number): number {
  return upper >= 1 ? Number.POSITIVE_INFINITY : Math.max(-1, upper);
}
