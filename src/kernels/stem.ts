import { stem as stemEnglish } from 'porter2';
import { createBoundedCache } from './bounded-cache.js';
import { foldAccents, isAscii } from './fold.js';
import { restoreAccents } from './restore-accents.js';

/** Snowball algorithm (https://snowballstem.org) by ISO 639-1 code. */
const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

const cachedStems = 65_536;

/** Codes of the languages that are stemmed, in alphabetical order. */
export const stemmedLanguages: readonly string[] = Object.keys(algorithms);

const stems = new Map<string, (word: string) => readonly string[]>();

/** Makes a stemmer of a Snowball algorithm. */
export type MakeStemmer = (algorithm: string) => { stem(word: string): string };

let makeStemmer: MakeStemmer | undefined;

/**
 * Says what makes the stemmers of languages other than English. Their package takes longer to load than a search, so
 * `snowball.js` is imported by what analyses texts of any language, and by a search of English alone not at all.
 */
export function provideStemmers(make: MakeStemmer): void {
  makeStemmer ??= make;
}

/**
 * The stems of a lower-case word, without accents: that of its plain spelling and, where it differs, that of the word as
 * it is. So all spellings of a word share a term, and inflections that only the accented spelling shows meet as well.
 */
function createStems(stem: (word: string) => string, language: string): (word: string) => readonly string[] {
  const cache = createBoundedCache<readonly string[]>(cachedStems);
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const plain = foldAccents(word);
    const plainStem = foldAccents(stem(restoreAccents(plain, language)));
    const ownStem = plain === word ? plainStem : foldAccents(stem(word));
    const found = ownStem === plainStem ? [plainStem] : [plainStem, ownStem];
    cache.set(word, found);
    return found;
  };
}

/** Another package has the same algorithm for English, quick from the first word on: to remember stems would take longer. */
function createEnglishStems(): (word: string) => readonly string[] {
  const others = createStems(stemEnglish, 'en');
  return (word) => (isAscii(word) ? [stemEnglish(word)] : others(word));
}

/**
 * The stemmer of a language (ISO 639-1 code), undefined for languages without one. Error for another than English before
 * stemmers are provided.
 */
export function stemmerOf(language: string): ((word: string) => readonly string[]) | undefined {
  const algorithm = Object.hasOwn(algorithms, language) ? algorithms[language] : undefined;
  if (algorithm === undefined) return undefined;
  let found = stems.get(language);
  if (found === undefined) {
    if (language === 'en') found = createEnglishStems();
    else {
      if (makeStemmer === undefined) throw new Error(`No stemmers are provided for "${language}".`);
      const stemmer = makeStemmer(algorithm);
      found = createStems((word) => stemmer.stem(word), language);
    }
    stems.set(language, found);
  }
  return found;
}
