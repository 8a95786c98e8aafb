import { asciiPieces } from './ascii-compound.js';
import { stemmedLanguages, stemmerOf } from './stem.js';
import { createTermCache, hashUnit, longestKey, mostTermsOfEntry } from './term-cache.js';
import { textTerms } from './text-terms.js';

/** The terms of a text as numbers, which are cheaper to count than strings are. Holds until the next call only. */
export interface NumberedTerms {
  /** Terms by number. Numbers mean the same as long as this is the same array; it only grows. */
  readonly vocabulary: readonly string[];
  /** In text order. A view of memory that the next call of `numberTerms` or `analyze` writes to: copy what is to stay. */
  readonly numbers: Uint32Array;
}

/** What an ASCII character is to the tokeniser, 0 of what it cuts at. A piece with any other character is left to it. */
const [space, alphanumeric, connector, beyond] = [1, 2, 3, 4];
const kinds = new Uint8Array(128);
/** The lower-case form of letters and digits, 0 of others. */
const lowers = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  if (/[A-Za-z0-9]/.test(character)) {
    kinds[unit] = alphanumeric;
    lowers[unit] = character.toLowerCase().charCodeAt(0);
  } else if (/\s/.test(character)) kinds[unit] = space;
  else if (/['._\-:/\\@#&+=~]/.test(character)) kinds[unit] = connector;
}
const [comma, hash, plus, nine, firstSmall] = [0x2c, 0x23, 0x2b, 0x39, 0x61];

/** Units up to which normalising pieces gives what normalising their text does: there runs of marks are cut inside. */
const longestPiece = 1_024;
const fnvOffset = 0x811c9dc5;

interface Language {
  /** Its number in keys; 0 of all that are not stemmed. */
  readonly code: number;
  /** Where hashes of its keys begin. */
  readonly seed: number;
  /** ISO 639-1, or empty. */
  readonly stemming: string;
}

const [unstemmed, ...others] = ['', ...stemmedLanguages].map(
  (stemming, code): Language => ({ code, seed: hashUnit(fnvOffset, code), stemming }),
) as [Language, ...Language[]];
const languages = new Map(others.map((language) => [language.stemming, language]));

const cache = createTermCache();
const { key } = cache;
/** The numbers of the text at hand: always the same array, for a large one costs more than finding what is in it. */
let found = new Uint32Array(4_096);
const largestKept = 262_144;
let count = 0;

/** The end counts as white space. */
const endUnit = 0x20;

function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : endUnit;
}

function kindAt(text: string, at: number): number {
  const unit = unitAt(text, at);
  return unit < 128 ? kinds[unit]! : beyond;
}

function isDigit(text: string, at: number): boolean {
  const unit = unitAt(text, at);
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether a comma is between two digits, the only place where it joins. */
function joins(text: string, at: number): boolean {
  return unitAt(text, at) === comma && at > 0 && isDigit(text, at - 1) && isDigit(text, at + 1);
}

/** Of the word that `wordEnd` saw last. */
let wordHash = 0;
/** No change of case would make it a compound: a capital may only begin it, or all letters are capitals. */
let isOneCase = true;

/**
 * The end of the letters and digits from there on; their lower-case form becomes the cache's key. A loop of its own, for
 * it is compiled long before all that may come between words has been seen.
 */
function wordEnd(text: string, start: number, seed: number): number {
  let sum = seed;
  let capitals = 0;
  let smalls = 0;
  let at = start;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const lower = unit < 128 ? lowers[unit]! : 0;
    if (lower === 0) break;
    if (lower !== unit) capitals++;
    else if (unit > nine) smalls++;
    if (at - start < longestKey) key[at - start] = lower;
    sum = hashUnit(sum, lower);
  }
  wordHash = sum;
  const first = text.charCodeAt(start);
  isOneCase = capitals === 0 || smalls === 0 || (capitals === 1 && first > nine && first < firstSmall);
  return at;
}

/** The end of a word and what is joined to it, where ASCII characters follow up to there; -1 otherwise. */
function compoundEnd(text: string, from: number): number {
  let end = from;
  for (let at = from; ; at++) {
    const kind = kindAt(text, at);
    if (kind === beyond) return -1;
    if (kind === alphanumeric) end = at + 1;
    else if (kind !== connector && !joins(text, at)) break;
  }
  // Names of languages end in these.
  if (unitAt(text, end) === hash) return end + 1;
  return unitAt(text, end) === plus && unitAt(text, end + 1) === plus ? end + 2 : end;
}

function spaceFrom(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) !== space) at++;
  return at;
}

function room(size: number): void {
  if (size <= found.length) return;
  const larger = new Uint32Array(size * 2);
  larger.set(found);
  found = larger;
}

function append(terms: readonly string[]): void {
  room(count + terms.length);
  // A slice would keep alive what it was cut from.
  for (const term of terms) found[count++] = cache.number(` ${term}`.slice(1));
}

const asciiDigit = /[0-9]/;

/** As `pieceTerms`, of a piece of ASCII letters and digits. */
function plainTerms(piece: string, { stemming }: Language): readonly string[] {
  const stem = asciiDigit.test(piece) ? undefined : stemmerOf(stemming);
  return stem === undefined ? [piece] : stem(piece);
}

function termsOf(piece: string, language: Language, isWord: boolean): readonly string[] {
  if (isWord) return plainTerms(piece, language);
  const pieces = asciiPieces(piece);
  if (pieces === undefined) return textTerms(piece, language.stemming);
  const terms: string[] = [];
  for (const each of pieces) for (const term of plainTerms(each, language)) terms.push(term);
  return terms;
}

/** Appends the terms of the first `length` units of the cache's key, which are one word, or else any piece of text. */
function appendKey(length: number, sum: number, language: Language, isWord: boolean): void {
  let entry = cache.find(length, sum, language.code);
  if (entry < 0) {
    const terms = termsOf(cache.keyText(length), language, isWord);
    entry = cache.add(length, sum, language.code, terms);
    if (entry < 0) {
      append(terms);
      return;
    }
  }
  room(count + mostTermsOfEntry);
  count = cache.copy(entry, found, count);
}

function appendPiece(text: string, start: number, end: number, language: Language): void {
  if (end - start > longestKey) {
    append(textTerms(text.slice(start, end), language.stemming));
    return;
  }
  let sum = language.seed;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    key[at - start] = unit;
    sum = hashUnit(sum, unit);
  }
  appendKey(end - start, sum, language, false);
}

/**
 * The terms of a text as `analyze` gives them, numbered. The result holds until the next call only. One pass over the
 * characters: words and compounds of ASCII characters are cut where the tokeniser would cut them, a piece between white
 * space that has other characters is taken whole, and what is known of either is looked up. Stemmers of languages other
 * than English are to be provided before.
 */
export function numberTerms(text: string, language = ''): NumberedTerms {
  const own = languages.get(language) ?? unstemmed;
  cache.begin();
  if (found.length > largestKept) found = new Uint32Array(4_096);
  count = 0;
  let pieceStart = 0;
  let countBefore = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    at = wordEnd(text, start, own.seed);
    const kind = kindAt(text, at);
    if (at === start && kind !== beyond) {
      at++;
      if (kind !== space) continue;
      pieceStart = at;
      countBefore = count;
      continue;
    }
    const end = kind === beyond ? -1 : kind === space ? at : compoundEnd(text, at);
    if (end >= 0) {
      // All spellings of a word that is no compound have the terms of the lower-case one.
      if (end === at && end - start <= longestKey && isOneCase) appendKey(end - start, wordHash, own, true);
      else appendPiece(text, start, end, own);
      at = end;
      continue;
    }
    // Characters beyond ASCII can change what is before them.
    count = countBefore;
    const pieceEnd = spaceFrom(text, at);
    if (pieceEnd - pieceStart > longestPiece) {
      count = 0;
      append(textTerms(text, own.stemming));
      break;
    }
    appendPiece(text, pieceStart, pieceEnd, own);
    at = pieceEnd;
  }
  return { vocabulary: cache.vocabulary, numbers: found.subarray(0, count) };
}
