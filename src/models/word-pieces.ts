import { insideMark, pieceLookup } from './piece-lookup.js';

/** Cuts into rows of a vocabulary of word pieces. */
export interface WordPieces {
  ofText(text: string): Uint32Array;
  /** The rows of one word in lower case, without blanks, marks and accents; not remembered. */
  ofWord(word: string): readonly number[];
}

/** ASCII punctuation as BERT means it ($ and + included), other punctuation, and each Han character stand alone. */
const single = String.raw`!-\/:-@\[-\x60{-~\p{P}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}`;
const anyWord = new RegExp(`[${single}]|[^\\s${single}]+`, 'gu');
/** They are control characters, but stand between words. */
const blank = /[\t-\r]/g;
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd]/gu;
const mark = /\p{Mn}/gu;

/** A longer word is unknown as a whole, unless the vocabulary has it (the limit of BERT's tokenizer). */
const maxWordLength = 100;
/** Words whose pieces are remembered; `pieceWriter` asks only for those near characters that are not ASCII. */
const cacheSize = 10_000;
/** Units decomposed at once: reordering a run of combining marks takes time quadratic in its length. */
const sliceLength = 1_024;

/**
 * BERT's uncased tokenizer (Devlin et al. 2019): control characters removed, accents and case folded, split at white
 * space, punctuation and Han characters, then greedily into the longest pieces that the vocabulary has; pieces inside
 * a word are written there with `##` before them. Made for English; other scripts end mostly in `unknown`.
 *
 * @param vocabulary piece of row 0, row 1, …
 * @param unknown the row for words that can not be composed
 */
export function wordPieces(vocabulary: readonly string[], unknown: number): WordPieces {
  const { longest } = pieceLookup(vocabulary);
  const ofWord = (word: string): readonly number[] => {
    const rows: number[] = [];
    for (let start = 0; start < word.length; ) {
      const row = longest(word, start);
      if (row < 0) return [unknown];
      start += vocabulary[row]!.length - (start === 0 ? 0 : insideMark.length);
      if (rows.length === 0 && start < word.length && word.length > maxWordLength) return [unknown];
      rows.push(row);
    }
    return rows;
  };

  const cache = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const rows = ofWord(word);
    if (word.length > maxWordLength) return rows;
    if (cache.size >= cacheSize) cache.clear();
    // A fresh copy: engines keep a matched word as a view that would hold the whole text in memory.
    cache.set(Array.from(word).join(''), rows);
    return rows;
  };

  const ofText = (text: string): Uint32Array => {
    const rows: number[] = [];
    for (const word of words(text)) for (const row of piecesOf(word)) rows.push(row);
    return Uint32Array.from(rows);
  };

  return { ofText, ofWord };
}

function words(text: string): readonly string[] {
  return withoutMarks(text.replace(blank, ' ').replace(invisible, '')).toLowerCase().match(anyWord) ?? [];
}

function withoutMarks(text: string): string {
  let out = '';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + sliceLength);
    // Not between the two halves of a surrogate pair.
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
    out += text.slice(start, end).normalize('NFD').replace(mark, '');
    start = end;
  }
  return out;
}
