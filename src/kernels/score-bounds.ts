import type { Groups } from './best-of-groups.js';
import { createLargest, createLargestOfGroups } from './largest.js';

export interface WantedScores {
  /** How many of the best. */
  readonly k: number;
  /** Scores below are not wanted. */
  readonly minScore: number;
  /** The best of each of the best k groups are wanted as well. */
  readonly groups: Groups | undefined;
}

/** Rows to scan first; every turn doubles that, since what the first score says which of the others matter. */
export const firstRows = 32;

/** What a scan writes for each row it finds: its number and the lower and the upper bound of its score. */
export const foundNumbers = 3;

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
  /** Takes the first `count` of the rows that a scan found; its row 0 is row `base` of all. */
  offer(found: Float64Array, count: number, base: number): void;
  /** Rows whose score has to be computed. */
  candidates(): Candidates;
}

/**
 * Every score S of a row is known to lie in [L, U], see `quantizeQuery` and `float32Error`, and is clamped to [-1, 1]
 * afterwards. Kept are
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
export function createScoreBounds({ k, minScore, groups }: WantedScores): ScoreBounds {
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
    offer(found, count, base) {
      for (let at = 0; at < foundNumbers * count; at += foundNumbers) {
        const row = base + found[at]!;
        const lower = found[at + 1]!;
        const upper = found[at + 2]!;
        if (!matters(row, lower, upper)) continue;
        tighten(row, lower, upper);
        rows.push(row);
        lowers.push(lower);
        uppers.push(upper);
      }
    },
    candidates() {
      const kept: number[] = [];
      for (let at = 0; at < rows.length; at++) if (matters(rows[at]!, lowers[at]!, uppers[at]!)) kept.push(at);
      kept.sort((a, b) => rows[a]! - rows[b]!);
      const of = (numbers: readonly number[]) => kept.map((at) => numbers[at]!);
      return { rows: of(rows), lowers: of(lowers), uppers: of(uppers) };
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
