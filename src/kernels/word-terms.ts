import { splitCompound } from './compound.js';
import { foldAccents } from './fold.js';
import { stemmerOf } from './stem.js';

const longestTerm = 128;
const letters = /^[^\p{Nd}]+$/u;
const possessive = /['\u2019]s$/i;
const contraction = /['\u2019](?:ll|re|ve|d|m)$/i;
const negation = /n['\u2019]t$/i;
const languageSuffix = /(?:\+\+|#)$/;
/** The article of `l'homme` is no part of the noun: no joined form. */
const elision = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|(?:d|n|s|qu)?[aeu]ll|un)['\u2019]/i;
const elidingLanguages: ReadonlySet<string> = new Set(['ca', 'fr', 'it']);

/** The word that a contraction hangs on: `it's` gives `it`, `they'll` gives `they`, `don't` gives `dont`. */
export function bareWord(token: string): string {
  if (negation.test(token)) return token.replace(negation, 'nt');
  return token.replace(possessive, '').replace(contraction, '');
}

/**
 * Terms of a word token: those of its parts in text order, then those of its joined forms. Each is cut at 128 UTF-16
 * units and lower-cased; words of letters are stemmed, everything loses its accents.
 */
export function wordTerms(token: string, language: string): string[] {
  const stem = stemmerOf(language);
  const terms: string[] = [];
  const add = (word: string) => {
    const lower = word.toLowerCase().slice(0, longestTerm);
    if (stem !== undefined && letters.test(lower)) terms.push(...stem(lower));
    else terms.push(foldAccents(lower));
  };
  const bare = bareWord(token);
  const { parts, wholes } = splitCompound(bare);
  for (const part of parts) add(part);
  if (!(elidingLanguages.has(language) && elision.test(bare))) for (const whole of wholes) add(whole);
  if (languageSuffix.test(token)) terms.push(foldAccents(token.toLowerCase().slice(-longestTerm)));
  return terms;
}
