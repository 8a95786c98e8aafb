import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFilter } from '../../src/core/check-filter.js';
import { type FilterDocument, matchesFilter } from '../../src/core/filter.js';
import { parseWhere } from '../../src/core/parse-where.js';
import type { Condition, Filter, Json } from '../../src/core/ports.js';

const matches = (where: string, metadata: Record<string, Json>, document: Partial<FilterDocument> = {}) =>
  matchesFilter(parseWhere(where), { id: '/n/a.md', metadata, ...document });

describe('fields', () => {
  test.each<[string, Record<string, Json>, Partial<FilterDocument>, boolean]>([
    ['id = /n/a.md', {}, {}, true],
    ['path = /n/a.md', {}, {}, true],
    ['path = /n/a.md', {}, { path: 'else' }, false],
    ['title = x', { title: 'x' }, {}, false],
    ['title = x', {}, { title: 'x' }, true],
    ['exists title', {}, { title: '' }, false],
    ['language = en and collection = c', {}, { language: 'en', collection: 'c' }, true],
    ['author.name = Ada', { author: { name: 'Ada' } }, {}, true],
    ['author.name = Ada', { author: [{ name: 'Bo' }, { name: 'Ada' }] }, {}, true],
    ['author.name = Ada', { 'author.name': 'Ada', author: { name: 'Bo' } }, {}, true],
    ['author.name = Bo', { 'author.name': 'Ada', author: { name: 'Bo' } }, {}, false],
    ['a.b.c = 1', { 'a.b': { c: 1 } }, {}, true],
    ['a.b.c = 1', { a: { 'b.c': 1 } }, {}, true],
    ['tag = x', { tags: ['x'] }, {}, true],
    ['tag = x', { tag: 'y', tags: ['x'] }, {}, true],
    ['tags = x', { tag: 'x' }, {}, false],
    ['exists constructor', {}, {}, false],
    ['caf\u00e9 = x', { 'cafe\u0301': 'x' }, {}, true],
    ['cafe\u0301.na\u00efve = x', { 'caf\u00e9': { 'nai\u0308ve': 'x' } }, {}, true],
    ['caf\u00e9 = x', { cafe: 'x' }, {}, false],
    ['exists __proto__.toString', {}, {}, false],
    ['exists tags.length', { tags: ['x'] }, {}, false],
  ])('%s of %j and %j: %s', (where, metadata, document, expected) => {
    expect(matches(where, metadata, document)).toBe(expected);
  });

  test('a document without metadata', () => {
    expect(matchesFilter(parseWhere('year != 3'), { id: 'a' })).toBe(true);
    expect(matchesFilter(parseWhere('not exists year'), { id: 'a' })).toBe(true);
  });
});

describe('conditions', () => {
  test.each<[string, Json, boolean]>([
    ['= 2024', 2024, true],
    ['= 2024', '2024', true],
    ['= "2024"', 2024, true],
    ['= "02024"', '2024', false],
    ['>= 2024', '2023.5', false],
    ['> 9', '10', true],
    ['> "9"', '10', false],
    ['< 5', 'abc', false],
    ['>= 5', 'abc', false],
    ['= x', ['y', ['x']], true],
    ['!= x', ['y', 'x'], false],
    ['!= x', ['y'], true],
    ['!= x', [], true],
    ['!= null', null, false],
    ['= null', null, true],
    ['= true', true, true],
    ['= true', 'true', false],
    ['= "true"', true, false],
    ['< 1', false, false],
    ['< 1', null, false],
    ['= X', 'x', false],
    ['= "e\u0301te\u0301"', 'été', true],
    ['= "été"', 'e\u0301te\u0301', true],
    ['starts ab', 'abc', true],
    ['starts ab', ['x', 'abc'], true],
    ['starts b', 'abc', false],
    ['starts 20', 2024, true],
    ['contains b', 'abc', true],
    ['contains B', 'abc', false],
    ['contains b', ['abc'], false],
    ['contains abc', ['abc'], true],
    ['contains 3', [1, 3], true],
    ['contains b', { b: 1 }, false],
    ['= a', { a: 1 }, false],
  ])('field %s of %j: %s', (condition, value, expected) => {
    expect(matches(`field ${condition}`, { field: value })).toBe(expected);
  });

  test.each<[string, Json, boolean]>([
    ['>= 2024', '2024-05-01', true],
    ['<= 2024', '2024-05-01', true],
    ['> 2024', '2024-05-01', false],
    ['< 2024', '2023-12-31', true],
    ['= 2024-05', '2024-05-01', true],
    ['= 2024-05-01', '2024-05-01T22:00:00+02:00', true],
    ['<= 2024-05-01', '2024-05-01T22:00:00Z', true],
    ['<= 2024-05-01', '2024-05-01T22:00:00,5+02:00', true],
    ['> 2024-05-01', '2024-05-02', true],
    ['>= 2024-05-10', '2024-05', false],
    ['>= 2024-05-01', ['2020-01-01', '2024-06-01'], true],
    ['= 2024', '2024-05-01 Notes of the day', false],
  ])('a date %s of %j: %s', (condition, value, expected) => {
    expect(matches(`date ${condition}`, { date: value })).toBe(expected);
  });

  test('exists asks for a value that is not null', () => {
    for (const value of [0, '', false, 'x', {}, [0]] as Json[]) expect(matches('exists a', { a: value })).toBe(true);
    for (const value of [null, [], [null], [[]]] as Json[]) expect(matches('exists a', { a: value })).toBe(false);
  });

  test('a backslash stands for a slash in a prefix of a path, and for itself', () => {
    expect(matches("path starts 'C:\\notes\\\\'", {}, { path: 'C:/notes/a.md' })).toBe(true);
    expect(matches("path starts 'C:\\note\\\\'", {}, { path: 'C:/notes/a.md' })).toBe(false);
    expect(matches("path starts 'C:\\notes'", {}, { path: 'C:/notes/a.md' })).toBe(true);
    expect(matches("path starts 'a\\b'", {}, { path: 'a\\b.md' })).toBe(true);
  });
});

describe('filters of filters', () => {
  const document = { id: 'a', metadata: { n: 1 } };
  test('lists of none', () => {
    expect([{ and: [] }, { or: [] }, { not: { or: [] } }].map((filter) => matchesFilter(filter, document))).toEqual([
      true,
      false,
      true,
    ]);
  });

  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 0, 1, -1.5, '1', 'a', 'ab', '', '2024-01-01', '2024'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'a.b'), tie('value')),
    ),
  })).value as fc.Arbitrary<Json>;
  const condition = fc.record({
    field: fc.constantFrom('id', 'title', 'a', 'a.b', 'b', 'tag'),
    is: fc.constantFrom<Condition['is']>('=', '<', '<=', '>', '>='),
    value: fc.constantFrom<string | number>(0, 1, '1', 'a', 'ab', '2024-01', 2024, '2024-01-01'),
  });

  test('not and != negate, and nothing is both below and at least what one value is compared with', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'tag', 'tags'), json), condition, (metadata, filter) => {
        const of = (part: Filter) => matchesFilter(part, { id: 'a', metadata });
        expect(of({ not: filter })).toBe(!of(filter));
        expect(of({ ...filter, is: '!=' })).toBe(!of({ ...filter, is: '=' }));
        expect(of({ and: [filter, { not: filter }] })).toBe(false);
        expect(of({ or: [filter, { not: filter }] })).toBe(true);
        if (typeof metadata.a !== 'object' && filter.field === 'a') {
          const signs = (['<', '=', '>'] as const).filter((is) => of({ ...filter, is }));
          expect(signs.length).toBeLessThanOrEqual(1);
          expect(of({ ...filter, is: '<=' })).toBe(signs.includes('<') || signs.includes('='));
          expect(of({ ...filter, is: '>=' })).toBe(signs.includes('>') || signs.includes('='));
        }
      }),
    );
  });

  test('metadata nested without end is looked into so far', () => {
    let deep: Json = 'x';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(matches('a = x', { a: deep })).toBe(false);
    expect(matches('a.b.c = x', { a: deep })).toBe(false);
  });
});

describe('what is no filter', () => {
  const condition = { field: 'a', is: '=', value: 1 };
  const nested = (depth: number): unknown => (depth === 1 ? condition : { not: nested(depth - 1) });
  const circular: Record<string, unknown> = {};
  circular.not = circular;
  test.each<[unknown, RegExp]>([
    [undefined, /"where" must be an object/],
    ['tags = x', /"where" must be an object/],
    [[condition], /"where" must be an object/],
    [{}, /"where.field" must be a name/],
    [{ ...condition, field: 'x'.repeat(201) }, /"where.field" must be a name of 1 to 200/],
    [{ ...condition, is: 'like' }, /"where.is" must be one of =, !=/],
    [{ ...condition, is: 'toString' }, /"where.is"/],
    [{ ...condition, sql: '1=1' }, /unknown name "sql". Known: field, is, value/],
    [{ and: [condition], or: [condition] }, /unknown name "or". Known: and/],
    [{ and: condition }, /"where.and" must be a list/],
    [{ or: [condition, { not: null }] }, /"where.or\[1\].not" must be an object/],
    [{ field: 'a', is: '=' }, /"where.value" must be a string of at most 2000/],
    [{ ...condition, value: Number.NaN }, /"where.value"/],
    [{ ...condition, value: ['x'] }, /"where.value"/],
    [{ ...condition, value: 'x'.repeat(2_001) }, /"where.value"/],
    [{ ...condition, is: '<', value: null }, /must be a string or a number with "<"/],
    [{ ...condition, is: 'starts', value: true }, /with "starts"/],
    [{ ...condition, is: 'exists' }, /"where.value" must be left out/],
    [nested(21), /nested deeper than 20/],
    [circular, /nested deeper than 20/],
    [{ or: Array.from({ length: 201 }, () => condition) }, /more than 200 parts/],
    [{ and: Array.from({ length: 15 }, () => ({ or: Array(15).fill(condition) })) }, /more than 200 parts/],
  ])('%j', (value, message) => {
    const wrong = expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });
    expect(() => checkFilter(value)).toThrow(wrong);
  });

  test('what is one comes back as a copy with its names in one order', () => {
    const given = {
      and: [
        { value: 'x', is: '=', field: 'a' },
        { field: 'b', is: 'exists', value: undefined },
      ],
    };
    const checked = checkFilter(given);
    expect(JSON.stringify(checked)).toBe('{"and":[{"field":"a","is":"=","value":"x"},{"field":"b","is":"exists"}]}');
    expect(checkFilter(nested(20))).toEqual(nested(20));
  });
});
