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

/** The same with more rows, none of which was dead before. Copies their pages, and a pointer for each 8,192 rows. */
export function withDeadRows({ count, pages }: DeadRows, rows: readonly number[]): DeadRows {
  const highest = rows.reduce((most, row) => Math.max(most, Math.floor(row / rowsOfDeadPage)), -1);
  // Of its full length: a hole in an array is slow to read.
  const changed = Array.from({ length: Math.max(pages.length, highest + 1) }, (_, number) => pages[number]);
  for (const row of rows) {
    const number = Math.floor(row / rowsOfDeadPage);
    let page = changed[number];
    if (page === undefined || page === pages[number]) page = page?.slice() ?? new Uint8Array(deadPageBytes);
    changed[number] = page;
    page[(row % rowsOfDeadPage) >> 3]! |= 1 << (row & 7);
  }
  return { count: count + rows.length, pages: changed };
}
