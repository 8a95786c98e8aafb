/** Units of the longest key; longer pieces are rare and would fill the cache. */
export const longestKey = 40;

/** Entries at most; half as many as there are slots, so that a search for one ends soon. */
const mostEntries = 131_072;
const slotMask = mostEntries * 2 - 1;
const mostKeyUnits = 2_097_152;
const mostNumbers = 524_288;
/** Terms from which the next text begins anew. One text may go beyond: what it holds has to have a number. */
const mostTerms = 262_144;
/** An entry: hash; where its key begins; length of key, language and count of terms; its term, or where its terms begin. */
const entrySize = 4;
/** Terms of one entry at most, which is what a caller keeps room for. */
export const mostTermsOfEntry = 255;

/**
 * The terms of pieces of text by language, found by the units of the piece: no string is made for one that is known.
 * Flat arrays of 9 MB and at most 262,144 terms; what is full is given up as a whole.
 */
export interface TermCache {
  /** The units of the key that is asked for; the caller writes them here. */
  readonly key: Uint16Array;
  /** Terms by number. Another array, and other numbers, after it was full. */
  readonly vocabulary: readonly string[];
  /** Before each text: makes room for it, the first time and when the cache is full. */
  begin(): void;
  /** The first `length` units of `key`. */
  keyText(length: number): string;
  /** The entry of the first `length` units of `key`; -1 without one. `hash` is that of `hashUnit`, unit by unit. */
  find(length: number, hash: number, language: number): number;
  /** Adds an entry, which `find` did not find; -1 where there is no room for it. */
  add(length: number, hash: number, language: number, terms: readonly string[]): number;
  /** Appends the numbers of an entry's terms to `target`, which has room for 255 more; returns the new count. */
  copy(entry: number, target: Uint32Array, count: number): number;
  /** The number of a term, which is given one if it has none: no slice then of a text that it would keep alive. */
  number(term: string): number;
}

/** FNV-1a (Fowler, Noll, Vo) with 16-bit units; begin with a number of the language. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function createTermCache(): TermCache {
  const key = new Uint16Array(longestKey);
  /** By hash, then one after the other: the number of an entry and 1; 0 is free. */
  let slots = new Uint32Array(0);
  let entries = new Uint32Array(0);
  let keyUnits = new Uint16Array(0);
  let numbers = new Uint32Array(0);
  let used = { entries: 0, keyUnits: 0, numbers: 0 };
  let vocabulary: string[] = [];
  let numberOf = new Map<string, number>();
  let full = false;

  const shape = (length: number, language: number) => length | (language << 8);

  /** The slot of the key, or the free one where it would be. */
  function slotOf(length: number, hash: number, language: number): number {
    for (let slot = (hash ^ (hash >>> 15)) & slotMask; ; slot = (slot + 1) & slotMask) {
      const entry = slots[slot]!;
      if (entry === 0) return slot;
      const at = (entry - 1) * entrySize;
      if (entries[at] !== hash >>> 0 || (entries[at + 2]! & 0xffff) !== shape(length, language)) continue;
      const start = entries[at + 1]!;
      let same = 0;
      while (same < length && keyUnits[start + same] === key[same]) same++;
      if (same === length) return slot;
    }
  }

  function number(term: string): number {
    const known = numberOf.get(term);
    if (known !== undefined) return known;
    numberOf.set(term, vocabulary.length);
    return vocabulary.push(term) - 1;
  }

  return {
    key,
    number,
    keyText(length) {
      // Many times faster than a call with as many arguments, until that is compiled.
      let text = '';
      for (let at = 0; at < length; at++) text += String.fromCharCode(key[at]!);
      return text;
    },
    get vocabulary() {
      return vocabulary;
    },
    begin() {
      if (slots.length === 0) {
        // Not before the first text: many who load this analyse none.
        slots = new Uint32Array(slotMask + 1);
        entries = new Uint32Array(mostEntries * entrySize);
        keyUnits = new Uint16Array(mostKeyUnits);
        numbers = new Uint32Array(mostNumbers);
      }
      if (!full && vocabulary.length < mostTerms) return;
      slots.fill(0);
      used = { entries: 0, keyUnits: 0, numbers: 0 };
      vocabulary = [];
      numberOf = new Map();
      full = false;
    },
    find: (length, hash, language) => slots[slotOf(length, hash, language)]! - 1,
    add(length, hash, language, terms) {
      full ||=
        used.entries === mostEntries ||
        used.keyUnits + length > mostKeyUnits ||
        used.numbers + terms.length > mostNumbers;
      if (full || terms.length > mostTermsOfEntry) return -1;
      const at = used.entries * entrySize;
      entries[at] = hash;
      entries[at + 1] = used.keyUnits;
      entries[at + 2] = shape(length, language) | (terms.length << 16);
      entries[at + 3] = terms.length === 1 ? number(terms[0]!) : used.numbers;
      for (let unit = 0; unit < length; unit++) keyUnits[used.keyUnits + unit] = key[unit]!;
      used.keyUnits += length;
      if (terms.length > 1) for (const term of terms) numbers[used.numbers++] = number(term);
      slots[slotOf(length, hash, language)] = ++used.entries;
      return used.entries - 1;
    },
    copy(entry, target, count) {
      const at = entry * entrySize;
      const size = entries[at + 2]! >>> 16;
      const first = entries[at + 3]!;
      if (size === 1) {
        target[count] = first;
        return count + 1;
      }
      for (let next = 0; next < size; next++) target[count + next] = numbers[first + next]!;
      return count + size;
    },
  };
}
