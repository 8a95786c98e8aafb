/** Finds pieces of a vocabulary at the head of a word, or of what is left of one. */
export interface PieceLookup {
  /** The row of the longest piece that begins the word there, as `##` and the piece where that is not at its head; or -1. */
  longest(word: string, start: number): number;
}

/** In front of a piece inside a word. */
export const insideMark = '##';

/** FNV-1a (Fowler, Noll, Vo) with 16-bit units. */
const offset = 0x811c9dc5;
const step = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);
const hashOf = (text: string) => {
  let hash = offset;
  for (let at = 0; at < text.length; at++) hash = step(hash, text.charCodeAt(at));
  return hash;
};

/**
 * A table of hashes: the hash of each beginning of a word is that of the one before and one unit more, so no strings are
 * cut to look them up.
 */
export function pieceLookup(vocabulary: readonly string[]): PieceLookup {
  let size = 16;
  while (size < 4 * vocabulary.length) size *= 2;
  const mask = size - 1;
  /** By hash, then one after the other: a row and 1; 0 is free. */
  const slots = new Uint32Array(size);
  const hashes = new Int32Array(vocabulary.length);
  let most = 0;
  const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & mask;
  vocabulary.forEach((piece, row) => {
    most = Math.max(most, piece.length);
    hashes[row] = hashOf(piece);
    let slot = slotOf(hashes[row]!);
    // Of equal pieces the last one counts.
    while (slots[slot] !== 0 && vocabulary[slots[slot]! - 1] !== piece) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  });

  const isAt = (word: string, start: number, end: number, piece: string, skipped: number): boolean => {
    if (piece.length - skipped !== end - start) return false;
    for (let at = skipped; at < piece.length; at++)
      if (piece.charCodeAt(at) !== word.charCodeAt(start + at - skipped)) return false;
    return skipped === 0 || piece.startsWith(insideMark);
  };

  const inside = hashOf(insideMark);
  return {
    longest(word, start) {
      const skipped = start === 0 ? 0 : insideMark.length;
      const end = Math.min(word.length, start + most);
      let hash = start === 0 ? offset : inside;
      let best = -1;
      for (let at = start; at < end; ) {
        hash = step(hash, word.charCodeAt(at++));
        for (let slot = slotOf(hash); slots[slot] !== 0; slot = (slot + 1) & mask) {
          const row = slots[slot]! - 1;
          if (hashes[row] !== hash || !isAt(word, start, at, vocabulary[row]!, skipped)) continue;
          best = row;
          break;
        }
      }
      return best;
    },
  };
}
