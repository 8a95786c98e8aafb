import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';
import { parseQuery } from '../../src/kernels/parse-query.js';

const texts = {
  gate: 'The old mill gate was painted green.',
  mill: 'A gate beside the old mill.',
  miller: 'The miller walks; milling takes a day.',
  tower: 'The tower is old.',
};

function indexOf(documents: Record<string, string>, language = 'en') {
  const index = createBm25Index({ sequences: true });
  for (const [id, text] of Object.entries(documents)) index.add(id, analyze(text, language));
  const ids = (query: string) => index.search(parseQuery(query, language, index), { k: 10 }).hits.map(({ id }) => id);
  return { index, ids: (query: string) => ids(query).toSorted() };
}

describe('operators', () => {
  const { ids, index } = indexOf(texts);

  test('a phrase must be there, word after word, in the order given', () => {
    expect(ids('"old mill"')).toEqual(['gate', 'mill']);
    expect(ids('"mill gate"')).toEqual(['gate']);
    expect(ids('"gate mill"')).toEqual([]);
    expect(ids('“mill gate” tower')).toEqual(['gate']);
    expect(ids('"old mill" "painted green"')).toEqual(['gate']);
  });

  test('words that say nothing count in a phrase, and a phrase of nothing else is found', () => {
    expect(ids('"the old"')).toEqual(['gate', 'mill']);
    expect(ids('"is old" lantern')).toEqual(['tower']);
    expect(ids('"the" lantern')).toEqual(['gate', 'mill', 'miller', 'tower']);
  });

  test('an exclusion takes away words, phrases and prefixes', () => {
    expect(ids('old -mill')).toEqual(['tower']);
    expect(ids('old -"mill gate"')).toEqual(['mill', 'tower']);
    expect(ids('old -tow*')).toEqual(['gate', 'mill']);
    expect(ids('-old')).toEqual([]);
    expect(ids('old -old')).toEqual([]);
  });

  test('a prefix stands for the words that begin so', () => {
    expect(ids('mil*')).toEqual(['gate', 'mill', 'miller']);
    expect(ids('painted*')).toEqual(['gate']);
    expect(ids('tow* mil*')).toEqual(['gate', 'mill', 'miller', 'tower']);
    expect(ids('zzz*')).toEqual([]);
  });

  test('what only looks like an operator is text', () => {
    expect(parseQuery('"old mill', 'en')).toMatchObject({ must: [], not: [] });
    for (const text of ['--old', '-5', '- old', 'old-mill', '*', 'o*', 'f(x)*', 'a "" b'])
      expect(parseQuery(text, 'en'), text).toMatchObject({ prefixes: [], must: [], not: [] });
    expect(parseQuery('', 'en')).toEqual({ text: '', terms: [], prefixes: [], must: [], not: [] });
    for (const [query, said] of [
      ['the "old mill"s and tow* -gate', 'the old mills and tow '],
      ['-"a b" -c* is -1 – “x y”', '  is -1 – x y'],
      ['plain  text"', 'plain  text"'],
    ])
      expect(parseQuery(query!, 'en').text).toBe(said);
  });

  test('of very many operators the first are taken', () => {
    const { must = [], not = [] } = parseQuery('-old '.repeat(5_000) + '"a b" '.repeat(100), 'en');
    expect(must.length + not.length).toBeLessThanOrEqual(64);
  });

  test('an exclusion that is one too many is not searched for', () => {
    const many = Array.from({ length: 64 }, (_, at) => `-none${'x'.repeat(at + 1)}`).join(' ');
    const { text, terms, passedOver } = parseQuery(`tower ${many} -mill -"old gate" "old mill"`, 'en');
    expect(passedOver).toEqual(['-mill', '-"old gate"']);
    expect(text.trim().split(/\s+/)).toEqual(['tower', '"old', 'mill"']);
    expect(terms.map(({ term }) => term)).toEqual(['tower', 'old', 'mill']);
    expect(parseQuery(`tower ${many}`, 'en')).not.toHaveProperty('passedOver');
  });

  test('the range is that of the rows that fulfil the query', () => {
    const { matched, min, max, hits } = index.search(parseQuery('"old mill"', 'en'), { k: 1 });
    expect(matched).toBe(2);
    expect(hits[0]!.score).toBe(max);
    expect(min).toBeGreaterThan(0);
    expect(index.search(parseQuery('old -tower', 'en'), { k: 9 })).toMatchObject({ matched: 2, min: 0 });
    const { hits: allowed } = index.search(parseQuery('"old mill"', 'en'), { k: 9, allow: (id) => id !== 'gate' });
    expect(allowed.map(({ id }) => id)).toEqual(['mill']);
  });

  test('a prefix is one word: its frequency is the sum, its rarity that of all rows that hold one', () => {
    const own = createBm25Index();
    own.add('a', ['art', 'arts', 'x']);
    own.add('b', ['arts', 'y', 'z']);
    own.add('c', ['u', 'v', 'w']);
    const same = createBm25Index();
    same.add('a', ['art', 'art', 'x']);
    same.add('b', ['art', 'y', 'z']);
    same.add('c', ['u', 'v', 'w']);
    const query = { terms: [], prefixes: [{ prefix: 'art', terms: [], weight: 1 }] };
    expect(own.search(query, { k: 3 })).toEqual(same.search([{ term: 'art', weight: 1 }], { k: 3 }));
    const explained = own.explain('a', query)!;
    expect(explained.parts).toMatchObject([{ term: 'art*', frequency: 2 }]);
    expect(explained.score).toBe(own.search(query, { k: 1 }).hits[0]!.score);
  });

  test('one prefix beside different terms is two words', () => {
    const own = createBm25Index();
    for (const name of ['x', 'y', 'z']) own.add(name, [name]);
    const prefixes = ['x', 'y'].map((word) => ({ prefix: 'none', terms: [word], weight: 1 }));
    expect(own.search({ terms: [], prefixes }, { k: 3 }).hits.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(own.explain('x', { terms: [], prefixes })!.parts).toMatchObject([{ term: 'none*', frequency: 1 }]);
  });
});

test('an exclusion by prefix takes away the word itself, whose stem may be shorter', () => {
  expect(indexOf({ ran: 'running in the park', sat: 'sitting in the park' }).ids('park -running*')).toEqual(['sat']);
  expect(indexOf({ a: 'un café au parc', b: 'un banc au parc' }, 'fr').ids('parc -café*')).toEqual(['b']);
  expect(indexOf({ a: '東京都庁は新宿', b: '新宿の公園' }, 'ja').ids('新宿 -東京都*')).toEqual(['b']);
});

test('letters of a prefix may carry marks', () => {
  expect(indexOf({ a: 'हिन्दी भाषा', b: 'मराठी भाषा' }, 'hi').ids('हिन्*')).toEqual(['a']);
  expect(parseQuery('cafe\u0301*', 'fr').prefixes).toEqual(parseQuery('caf\u00e9*', 'fr').prefixes);
  expect(parseQuery('e\u0301*', 'fr').prefixes).toEqual([]);
});

test('a phrase of Hangul is found whatever particles its words carry', () => {
  const { ids } = indexOf({ capital: '대한민국의 수도는 서울이다', library: '학교 도서관에서 읽는다' }, 'ko');
  expect(ids('"대한민국"')).toEqual(['capital']);
  expect(ids('"학교 도서관"')).toEqual(['library']);
  expect(ids('"도서관 학교"')).toEqual([]);
  expect(ids('서울 읽는다 -대한민국')).toEqual(['library']);
});

test('an exclusion by prefix takes away every word that begins so, however many there are', () => {
  const index = createBm25Index();
  for (let at = 0; at < 1_500; at++) index.add(`${at}`, ['lake', `unit${at}`]);
  index.add('kept', ['lake', 'other']);
  expect(index.search(parseQuery('lake -unit*'), { k: 9 }).hits.map(({ id }) => id)).toEqual(['kept']);
  expect(index.search(parseQuery('unit*'), { k: 9 }).matched).toBe(1_000);
});

test('a phrase is looked for in the form of each language', () => {
  const index = createBm25Index({ sequences: true });
  index.add('en', analyze('the winding roads', 'en'));
  index.add('es', analyze('las calles estrechas', 'es'));
  const find = (query: string) =>
    index.search(parseQuery(query, ['en', 'es'], index), { k: 5 }).hits.map(({ id }) => id);
  expect(find('"winding roads"')).toEqual(['en']);
  expect(find('"calles estrechas"')).toEqual(['es']);
  expect(find('roads calles -"winding road"')).toEqual(['es']);
});

test('phrases need sequences, which an index says; single words do not', () => {
  const index = createBm25Index();
  index.add('a', ['old', 'mill']);
  expect(() => index.search(parseQuery('"old mill"', ''), { k: 1 })).toThrow(/sequences: true/);
  expect(index.search(parseQuery('old -mill', ''), { k: 1 }).hits).toEqual([]);
  expect(index.search(parseQuery('"old"', ''), { k: 1 }).hits).toHaveLength(1);
});

test('any phrase finds what a search through the texts finds, after changes and in the saved form', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const step = fc.record({ id: fc.nat(40), terms: fc.option(fc.array(word, { maxLength: 8 })) });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 120 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.array(word, { minLength: 1, maxLength: 2 }),
      (steps, phrase, refused) => {
        const index = createBm25Index({ sequences: true });
        const documents = new Map<string, string[]>();
        for (const { id, terms } of steps) {
          if (terms === null) {
            index.remove(`${id}`);
            documents.delete(`${id}`);
          } else {
            index.add(`${id}`, terms);
            documents.set(`${id}`, terms);
          }
        }
        const has = (terms: string[], sequence: string[]) => ` ${terms.join(' ')} `.includes(` ${sequence.join(' ')} `);
        const expected = [...documents].flatMap(([id, terms]) =>
          has(terms, phrase) && !has(terms, refused) ? [id] : [],
        );
        const query = {
          terms: phrase.map((term) => ({ term, weight: 1 })),
          must: [[{ sequence: phrase }]],
          not: [{ sequence: refused }],
        };
        for (const each of [index, loadBm25Index(index.save())]) {
          const { hits, matched } = each.search(query, { k: 100 });
          expect(hits.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
          expect(matched).toBe(expected.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});
