import { splitCompound } from './compound.js';
import { foldAccents } from './fold.js';
import { stemmerOf } from './stem.js';

const longestTerm = 128;
const letters = /^[^\p{Nd}]+$/u;
const apostrophe = /['\u2019]/;
const possessive = /['\u2019]s$/i;
const contraction = /['\u2019](?:ll|re|ve|d|m)$/i;
const negation = /n['\u2019]t$/i;
const languageSuffix = /(?:\+\+|#)$/;
/** The article of `l'homme` is no part of the noun: no joined form. */
const elision = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|(?:d|n|s|qu)?[aeu]ll|un)['\u2019]/i;
const elidingLanguages: ReadonlySet<string> = new Set(['ca', 'fr', 'it']);

/** The word that a contraction hangs on: `it's` gives `it`, `they'll` gives `they`, `don't` gives `dont`. */
export function bareWord(token: string): string {
  if (!apostrophe.test(token)) return token;
  if (negation.test(token)) return token.replace(negation, 'nt');
  return token.replace(possessive, '').replace(contraction, '');
}

/**
 * What a word token is found by, before stemming: its parts in text order, then its joined forms, each lower-case and cut
 * at 128 UTF-16 units. The language says whether a joined form makes sense.
 */
export function wordPieces(token: string, language: string): string[] {
  const bare = bareWord(token);
  const { parts, wholes } = splitCompound(bare);
  const pieces = elidingLanguages.has(language) && elision.test(bare) ? [...parts] : [...parts, ...wholes];
  if (languageSuffix.test(token)) pieces.push(token.slice(-longestTerm));
  return pieces.map((piece) => piece.toLowerCase().slice(0, longestTerm));
}

/** The terms of one piece: pieces of letters are stemmed, everything loses its accents. */
export function pieceTerms(piece: string, language: string): readonly string[] {
  const stem = letters.test(piece) && !languageSuffix.test(piece) ? stemmerOf(language) : undefined;
  return stem === undefined ? [foldAccents(piece)] : stem(piece);
}

/** The terms of a word token, those of its parts first. */
export function wordTerms(token: string, language: string): string[] {
  const terms: string[] = [];
  for (const piece of wordPieces(token, language)) for (const term of pieceTerms(piece, language)) terms.push(term);
  return terms;
}
