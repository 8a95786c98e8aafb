/** Which rows of a segment are dead: bits in pages, lowest first. Never changed, so that readers may keep it. */
export interface DeadRows {
  readonly count: number;
  /** Pages without a dead row may be missing. */
  readonly pages: readonly (Uint8Array | undefined)[];
}

/** Rows of one page, which is copied when one of them dies, and saved as one. */
export const rowsOfDeadPage = 8_192;
export const deadPageBytes = rowsOfDeadPage / 8;

export const noDeadRows: DeadRows = { count: 0, pages: [] };

export function isDead({ pages }: DeadRows, row: number): boolean {
  const page = pages[Math.floor(row / rowsOfDeadPage)];
  return page !== undefined && (page[(row % rowsOfDeadPage) >> 3]! & (1 << (row & 7))) !== 0;
}

/** The same with one more, which was not dead before. Copies 1 KB, and a pointer for each 8,192 rows. */
export function withDeadRow({ count, pages }: DeadRows, row: number): DeadRows {
  const number = Math.floor(row / rowsOfDeadPage);
  const page = pages[number]?.slice() ?? new Uint8Array(deadPageBytes);
  page[(row % rowsOfDeadPage) >> 3]! |= 1 << (row & 7);
  // Of its full length: a hole in an array is slow to read.
  const changed = Array.from({ length: Math.max(pages.length, number + 1) }, (_, at) => pages[at]);
  changed[number] = page;
  return { count: count + 1, pages: changed };
}
