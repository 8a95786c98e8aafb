import type { Postings } from './postings.js';

/** A postings list that grows at its end and forgets dead rows when it is read. */
export interface PostingsList {
  /** `row` must be greater than every row of the list. */
  append(row: number, frequency: number): void;
  /** The live entries, as views that hold until the next append. `removals` counts the rows that have died so far. */
  read(removals: number, isLive: (row: number) => boolean): Postings;
}

export function createPostingsList(initial?: Postings): PostingsList {
  let rows = initial?.rows ?? new Uint32Array(2);
  let frequencies = initial?.frequencies ?? new Uint32Array(2);
  let length = initial?.rows.length ?? 0;
  let cleanedAt = 0;

  function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
    const larger = new Uint32Array(Math.max(4, array.length * 2));
    larger.set(array);
    return larger;
  }

  return {
    append(row, frequency) {
      if (length === rows.length) {
        rows = grown(rows);
        frequencies = grown(frequencies);
      }
      rows[length] = row;
      frequencies[length++] = frequency;
    },
    read(removals, isLive) {
      if (removals !== cleanedAt) {
        let kept = 0;
        for (let at = 0; at < length; at++) {
          if (!isLive(rows[at]!)) continue;
          rows[kept] = rows[at]!;
          frequencies[kept++] = frequencies[at]!;
        }
        length = kept;
        cleanedAt = removals;
      }
      return { rows: rows.subarray(0, length), frequencies: frequencies.subarray(0, length) };
    },
  };
}
