import type { Postings } from './postings.js';

/** A postings list that grows at its end. */
export interface PostingsList {
  /** `row` must be greater than every row of the list. */
  append(row: number, frequency: number): void;
  /** The entries so far, as views; later ones are added behind them. */
  read(): Postings;
}

export function createPostingsList(): PostingsList {
  let rows = new Uint32Array(2);
  let frequencies = new Uint32Array(2);
  let length = 0;

  function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
    const larger = new Uint32Array(array.length * 2);
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
    read: () => ({ rows: rows.subarray(0, length), frequencies: frequencies.subarray(0, length) }),
  };
}
