import { describe, expect, test } from 'vitest';
import { createSurmise } from '../../src/core/surmise.js';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';

function indexOf(texts: Record<string, string>, language = 'en') {
  const index = createBm25Index();
  for (const [id, text] of Object.entries(texts)) index.add(id, analyze(text, language));
  const find = (query: string, k = 10) => index.search(analyzeQuery(query, language, index), { k });
  return { find, ids: (query: string) => find(query).hits.map(({ id }) => id) };
}

test('FR-001 a date is found as it is written, before texts that share only its numbers', () => {
  const { ids } = indexOf({
    other: 'invoice of 2024-05-11, paid',
    day: 'the roof was repaired on 2024-11-05',
    none: 'no date',
  });
  expect(ids('2024-11-05')).toEqual(['day', 'other']);
  expect(ids('2024-11-05T08:00')[0]).toBe('day');
});

test('FR-003 a word with hyphens is found whole and by its parts', () => {
  const { ids } = indexOf({ whole: 'Messages are end-to-end-encrypted.', part: 'One end of the rope.', none: 'Rain.' });
  expect(ids('end-to-end-encrypted')[0]).toBe('whole');
  expect(ids('encrypted')).toEqual(['whole']);
});

test('FR-004 a quoted flag is text', () => {
  const { ids } = indexOf({ flag: 'Try it with --dry-run-only first.', none: 'It did not rain.' });
  for (const query of ['"--dry-run-only"', '--dry-run-only', "'--dry-run-only'", '"--dry-run-only', '--dry-run'])
    expect(ids(query)).toEqual(['flag']);
});

test('FR-006 a dotted number is found; a minus before a word is punctuation where operators are not read', () => {
  const { ids } = indexOf({ number: 'The value was 12.207 in May.', red: 'a red door', blue: 'a blue door' });
  expect(ids('12.207')).toEqual(['number']);
  expect(ids('red -blue')).toEqual(['blue', 'red']);
  expect(ids('-blue')).toEqual(['blue']);
});

test('FR-007 code identifiers are found as they are typed', () => {
  const names = [
    'std::vector',
    'app.config.port',
    'src/lib/parse.ts',
    '@acme/tools',
    '#include',
    'C++',
    'F#',
    'a\\b\\c',
  ];
  for (const name of names) {
    const { ids } = indexOf({ here: `see ${name} for this`, there: 'something else' });
    expect(ids(name), name).toEqual(['here']);
  }
});

test('FR-009 marks without a letter or digit are dropped, a query of nothing else has no term', () => {
  const { ids } = indexOf({ gate: 'the north gate' });
  expect(ids('north / gate')).toEqual(['gate']);
  for (const query of ['- ! ?', '""', '*', '( )', '   ']) expect(analyzeQuery(query, 'en')).toEqual([]);
});

test('FR-011 function words of another language do not outweigh the words of the question', () => {
  const index = createBm25Index();
  const texts: [string, string, string][] = [
    ['en', 'en', 'The lighthouse keeper counted the ships.'],
    ['de', 'de', 'Die Leute waren in der Stadt, als es die Nachricht gab.'],
    ['fr', 'fr', 'Il est dans la ville et on en parle.'],
  ];
  for (const [id, language, text] of texts) index.add(id, analyze(text, language));
  const find = (query: string) =>
    index.search(analyzeQuery(query, ['en', 'de', 'fr'], index), { k: 3 }).hits.map(({ id }) => id);
  expect(find('who was the lighthouse keeper in those days')).toEqual(['en']);
  expect(find('wie waren die Leute in der Stadt')[0]).toBe('de');
  // Nothing but stop words: they are searched for, and texts without them are no answer.
  expect(find('the')).toEqual(['en']);
});

test('FR-012 a mark between words takes nothing from the answer', () => {
  const { ids, find } = indexOf({ oak: 'Oak Road meets 2nd Street in the north', other: 'South Road' });
  expect(ids('oak road & 2nd / north')).toEqual(ids('oak road 2nd north'));
  expect(find('oak road & 2nd / north').hits).toEqual(find('oak road 2nd north').hits);
});

describe('the same through a whole search', () => {
  async function searchOf(texts: Record<string, string>) {
    const surmise = createSurmise({ store: openSqliteStore({ path: ':memory:' }) });
    await surmise.index(Object.entries(texts).map(([id, text]) => ({ document: { id, text } })));
    return async (question: string) => {
      const { hits, reason, degraded } = await surmise.search(question);
      expect(degraded).toEqual([]);
      return reason ?? hits.map(({ document }) => document);
    };
  }

  test('FR-001 FR-003 FR-007 FR-012 what other engines take for syntax is text', async () => {
    const find = await searchOf({
      day: 'the roof was repaired on 2024-11-05',
      whole: 'Messages are end-to-end-encrypted.',
      code: 'see std::vector and C++ for this',
      oak: 'Oak Road meets 2nd Street in the north',
    });
    expect(await find('2024-11-05')).toEqual(['day']);
    expect(await find('end-to-end-encrypted')).toEqual(['whole']);
    expect(await find('std::vector')).toEqual(['code']);
    expect(await find('oak road & 2nd / north')).toEqual(['oak']);
    for (const odd of ['oak AND', 'NEAR(oak', 'oak:', '^oak', 'oak*)', '{oak}', 'oak"', '"oak', 'oak OR "', "oak'; --"])
      expect(await find(odd), odd).toContain('oak');
  });

  test('FR-004 a quoted flag is a phrase whose dashes are text', async () => {
    const find = await searchOf({ flag: 'Try it with --dry-run-only first.', run: 'Only a dry run.' });
    expect(await find('"--dry-run-only"')).toEqual(['flag']);
    expect(await find('--dry-run-only')).toEqual(['flag', 'run']);
  });

  test('FR-006 a minus before a word leaves out what holds it; exclusions alone find nothing, with a reason', async () => {
    const find = await searchOf({
      red: 'a red door',
      blue: 'a blue door',
      both: 'a red and blue door',
      n: 'It was 12.207.',
    });
    expect(await find('red -blue')).toEqual(['red']);
    expect(await find('door -"red and blue"')).toEqual(['blue', 'red']);
    expect(await find('-blue')).toBe('no searchable token');
    expect(await find('-blue -red*')).toBe('no searchable token');
    expect(await find('red -red')).toBe('nothing matches');
    expect(await find('12.207')).toEqual(['n']);
  });

  test('FR-009 marks alone give an empty answer with a reason', async () => {
    const find = await searchOf({ gate: 'the north gate' });
    for (const question of ['- ! ?', '""', '*', '"!"', '-""', '-"?"'])
      expect(await find(question)).toBe('no searchable token');
    expect(await find('north / "gate"')).toEqual(['gate']);
  });
});
