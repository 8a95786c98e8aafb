import { isAscii } from './fold.js';

export interface Token {
  readonly kind: 'word' | 'unspaced' | 'emoji' | 'symbol';
  readonly text: string;
}

/** Scripts written without spaces, and Hangul, whose words carry their particles. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc';
/** What may join two words to one identifier; a comma joins digits only. */
const connector = "['\\u2019._\\-:/\\\\@#&+=~\\u00b7\\u2010\\u2013]";
const letter = `(?:(?![${unspaced}])[\\p{L}\\p{N}])`;
const inner = `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}\\u200d])`;
const modified = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\ufe0f|[\\u{e0020}-\\u{e007f}])*';
const emoji = `[0-9#*]\\ufe0f?\\u20e3|\\p{Regional_Indicator}{2}|${modified}(?:\\u200d${modified})*`;
const symbol = '\\u00a7|\\u00b6|\\u2020|\\u2021|\\p{So}|(?![\\0-\\x7f])[\\p{Sc}\\p{Sm}]';

let anyToken: RegExp | undefined;

/** Made for the first text that is not all ASCII: the engine reads it slowly. */
function anyTokenPattern(): RegExp {
  anyToken ??= new RegExp(
    `(${emoji})|([${unspaced}][${unspaced}\\p{M}]*)` +
      `|(${letter}${inner}*(?:(?:${connector}{1,3}|(?<=\\p{Nd}),(?=\\p{Nd}))${letter}${inner}*)*(?:\\+\\+|#)?)|(${symbol})`,
    'gu',
  );
  return anyToken;
}
const asciiToken = /[A-Za-z0-9]+(?:(?:['._\-:/\\@#&+=~]{1,3}|(?<=[0-9]),(?=[0-9]))[A-Za-z0-9]+)*(?:\+\+|#)?/g;

/**
 * Cuts normalised text (NFKC) into words with what joins them (`std::vector`, `end-to-end`, `1,000`), runs of scripts
 * without spaces, emoji (whole sequences) and symbols such as the section sign. Other punctuation is no token.
 */
export function tokenize(text: string): Token[] {
  if (isAscii(text)) return Array.from(text.match(asciiToken) ?? [], (word) => ({ kind: 'word', text: word }) as const);
  const tokens: Token[] = [];
  for (const match of text.matchAll(anyTokenPattern())) {
    const kind =
      match[1] !== undefined
        ? 'emoji'
        : match[2] !== undefined
          ? 'unspaced'
          : match[3] !== undefined
            ? 'word'
            : 'symbol';
    tokens.push({ kind, text: match[0] });
  }
  return tokens;
}
