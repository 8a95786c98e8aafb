import type { WordPieces } from './word-pieces.js';

/**
 * Writes the rows of a text's word pieces into `rows`, which has room for 16 or more, and hands over how many there are
 * whenever no more may fit, and at the end.
 */
export type WritePieces = (text: string, rows: Uint32Array, take: Take) => void;

type Take = (count: number) => void;

/** Words that are remembered, a power of two. */
const places = 65_536;
/** Places in a row, the first given by its hash, where a word may be; where all are taken it replaces the first. */
const probes = 4;
/** Of a place, in numbers: the letters of the word, how many rows it has, the rows. One line of a processor's cache. */
const placeSize = 16;
const lettersSize = 4;
const mostRows = placeSize - lettersSize - 1;
/** Letters in one number, six bits each. */
const packed = 5;
/** Longer words are cut anew each time. */
const longest = packed * lettersSize;

/** The letters and digits of ASCII, counted from 1 without regard to case; 0 is anything else. */
const letters = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? Number.parseInt(character, 36) + 1 : 0;
});
const encoder = new TextEncoder();
/** Longer stretches take memory of their own. */
const keptBytes = 65_536;
/** A unit that is neither blank nor a visible character of ASCII. */
const foreign = /[^\t-\r -~]/g;

/**
 * The pieces that `ofText` makes, in a fraction of the time where a text is ASCII: no strings are built, and a word
 * that was there before is looked up by its letters. What stands between blanks and is not all ASCII is left to
 * `ofText`; blanks are where a text can be cut without a change of its pieces.
 */
export function pieceWriter({ ofText, ofWord }: WordPieces): WritePieces {
  const cache = new Int32Array(places * placeSize);
  /** The row of each mark; blanks have none. */
  const marks = Int32Array.from({ length: 128 }, (_, code) => ofText(String.fromCharCode(code))[0] ?? -1);

  /** Where the word is, or the complement of where it is to be put: into the first free place, or the first at all. */
  const find = (a: number, b: number, c: number, d: number): number => {
    let hash = Math.imul(a, 0x9e3779b1) ^ b;
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77) ^ c;
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d) ^ d;
    hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
    for (let probe = 0; probe < probes; probe++) {
      const place = (((hash >>> 15) + probe) & (places - 1)) * placeSize;
      if (cache[place] === a && cache[place + 1] === b && cache[place + 2] === c && cache[place + 3] === d)
        return place;
      if (cache[place + lettersSize] === 0) return ~place;
    }
    return ~(((hash >>> 15) & (places - 1)) * placeSize);
  };

  const kept = new Uint8Array(keptBytes);
  /** A stretch that is all ASCII; like `append`, it returns how many of `rows` are filled then. */
  const appendPlain = (text: string, from: number, to: number, rows: Uint32Array, filled: number, take: Take) => {
    const stretch = text.slice(from, to);
    const codes = stretch.length <= kept.length ? kept : new Uint8Array(stretch.length);
    // Reading bytes takes half of the time that reading a part of a string does.
    const { written: length } = encoder.encodeInto(stretch, codes);
    let next = filled;
    for (let at = 0; at < length; ) {
      if (next + mostRows > rows.length) {
        take(next);
        next = 0;
      }
      const start = at;
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (; at < length; at++) {
        const letter = letters[codes[at]!]!;
        if (letter === 0) break;
        const place = at - start;
        if (place < packed) a = (a << 6) | letter;
        else if (place < 2 * packed) b = (b << 6) | letter;
        else if (place < 3 * packed) c = (c << 6) | letter;
        else d = (d << 6) | letter;
      }
      if (at === start) {
        const row = marks[codes[at++]!]!;
        if (row >= 0) rows[next++] = row;
        continue;
      }
      if (at - start > longest) {
        next = append(ofWord(stretch.slice(start, at).toLowerCase()), rows, next, take);
        continue;
      }
      let place = find(a, b, c, d);
      if (place < 0) {
        const pieces = ofWord(stretch.slice(start, at).toLowerCase());
        if (pieces.length > mostRows) {
          next = append(pieces, rows, next, take);
          continue;
        }
        place = ~place;
        cache.set([a, b, c, d, pieces.length, ...pieces], place);
      }
      const count = cache[place + lettersSize]!;
      for (let i = 0; i < count; i++) rows[next++] = cache[place + lettersSize + 1 + i]!;
    }
    return next;
  };

  return (text, rows, take) => {
    let filled = 0;
    let from = 0;
    for (foreign.lastIndex = 0; foreign.test(text); foreign.lastIndex = from) {
      let start = foreign.lastIndex - 1;
      let end = start + 1;
      while (start > from && !isBlank(text.charCodeAt(start - 1))) start--;
      while (end < text.length && !isBlank(text.charCodeAt(end))) end++;
      filled = appendPlain(text, from, start, rows, filled, take);
      filled = append(ofText(text.slice(start, end)), rows, filled, take);
      from = end;
    }
    take(appendPlain(text, from, text.length, rows, filled, take));
  };
}

function append(pieces: Iterable<number>, rows: Uint32Array, filled: number, take: Take): number {
  let next = filled;
  for (const row of pieces) {
    if (next === rows.length) {
      take(next);
      next = 0;
    }
    rows[next++] = row;
  }
  return next;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
