/** Neighbours that are merged at once. */
export const mergeFactor = 8;
/** Segments of fewer rows count as of so many, or a row at a time would be merged in many levels. */
const fewestRows = 64;
/** How far below the largest of a level, in levels, a segment still belongs to it. */
const span = 0.75;

/**
 * Which neighbours among segments of so many rows to merge: groups of eight of about one size, with smaller ones between
 * them (the policy by logarithms of Lucene's `LogMergePolicy`). Each row is copied once for every level of eightfold
 * size, and at most about seven segments of a level are left.
 *
 * @returns places, each from `start` to below `end`; they do not overlap
 */
export function segmentsToMerge(rows: readonly number[]): { start: number; end: number }[] {
  const levels = rows.map((count) => Math.log(Math.max(count, fewestRows)) / Math.log(mergeFactor));
  const groups: { start: number; end: number }[] = [];
  let start = 0;
  while (start < levels.length) {
    const bottom = levels.slice(start).reduce((most, level) => Math.max(most, level)) - span;
    const last = levels.findLastIndex((level) => level >= bottom);
    for (; start + mergeFactor <= last + 1; start += mergeFactor) groups.push({ start, end: start + mergeFactor });
    start = last + 1;
  }
  return groups;
}
