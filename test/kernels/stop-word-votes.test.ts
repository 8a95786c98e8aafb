import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldAccents } from '../../src/kernels/fold.js';
import { voteByStopWords } from '../../src/kernels/stop-word-votes.js';
import { stopWordLanguages, stopWordsOf, stopWordWeight } from '../../src/kernels/stop-words.js';

/** The same with expressions, word by word. */
function votesOf(text: string) {
  const spoken = text.replace(/['\u2019]s(?![\p{L}\p{M}])/gu, '').match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const words = spoken.filter((word) => !/^\p{Lu}$/u.test(word)).map((word) => foldAccents(word.toLowerCase()));
  const votes = stopWordLanguages.map((language) => {
    const own = words.filter((word) => stopWordsOf(language).has(word));
    return { language, count: own.length, score: own.reduce((sum, word) => sum + stopWordWeight(word), 0) };
  });
  return { votes, words: words.length };
}

const fragment = fc.oneof(
  fc.constantFrom(
    'the',
    'The',
    'THE',
    'de',
    'les',
    'et',
    'und',
    'qué',
    'É',
    'è',
    'là',
    'não',
    'harbour',
    'A',
    'a',
    's',
    'ß',
  ),
  fc.constantFrom(
    ' ',
    ' ',
    ' ',
    '-',
    "'",
    "'s",
    '\u2019s',
    '\u2019',
    '.',
    '1',
    '\u0301',
    'море',
    '港',
    '\ud83d',
    '👍',
    '𝐀',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
);

test('counts what expressions find', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
      const text = fragments.join('');
      expect(voteByStopWords(text)).toEqual(votesOf(text));
    }),
    { numRuns: 3_000 },
  );
});

test('every stop word speaks for its language', () => {
  for (const language of stopWordLanguages)
    for (const word of stopWordsOf(language)) {
      const { votes, words } = voteByStopWords(word);
      expect(words).toBe(1);
      expect(votes.find((vote) => vote.language === language)?.count, word).toBe(1);
    }
});
