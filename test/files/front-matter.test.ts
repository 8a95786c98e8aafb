import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFrontMatter } from '../../src/files/front-matter.js';
import { isoDate } from '../../src/files/metadata-fields.js';

const metadata = (yaml: string) => readFrontMatter(yaml)?.metadata;

describe('tags', () => {
  test.each<[string, string[] | undefined]>([
    ['tags: [sea, travel]', ['sea', 'travel']],
    ['tags:\n  - "#sea"\n  - long trip\n  - 2024', ['sea', 'long trip', '2024']],
    ['tags: sea travel', ['sea', 'travel']],
    ['tags: sea, long trip', ['sea', 'long trip']],
    ['tag: long trip', ['long trip']],
    ['keywords: sea; long trip ;', ['sea', 'long trip']],
    ['tags: sea\ncategories: [home, sea]\ncategory: work', ['sea', 'home', 'work']],
    ['tags: [[sea], {a: b}, null, true]', ['sea']],
    ['title: none', undefined],
  ])('of %j are %j', (yaml, expected) => {
    expect(metadata(yaml)?.tags).toEqual(expected);
  });

  test('what they were made of stays', () => {
    expect(metadata('keywords: a, b\ncategories: c d')).toEqual({
      keywords: 'a, b',
      categories: 'c d',
      tags: ['a', 'b', 'c', 'd'],
    });
    expect(metadata('tags: []')).toEqual({ tags: [] });
  });

  test('at most 100, none longer than 100 characters', () => {
    const many = Array.from({ length: 300 }, (_, at) => `t${at}`);
    expect(metadata(`tags: [${many.join(', ')}, ${'x'.repeat(101)}]`)?.tags).toEqual(many.slice(0, 100));
  });
});

describe('dates', () => {
  test.each([
    ['2024-05-01', '2024-05-01'],
    ['2024/5/1', '2024-05-01'],
    ['2024.05.01', '2024-05-01'],
    ['20240501', '2024-05-01'],
    ['2024-05-01 9:30', '2024-05-01T09:30'],
    ['2024-05-01T23:30:00+02:00', '2024-05-01T23:30:00+02:00'],
    ['2024-05-01 23:30:00.5 -0930', '2024-05-01T23:30:00.5-09:30'],
    ['2024-05-01t23:30:00z', '2024-05-01T23:30:00Z'],
    ['2024-05-01T10:00+2', '2024-05-01T10:00+02:00'],
  ])('%s is %s', (text, expected) => {
    expect(isoDate(text)).toBe(expected);
    expect(isoDate(expected)).toBe(expected);
    expect(metadata(`date: ${text}\nupdated: "${text}"`)).toEqual({ date: expected, updated: expected });
  });

  test.each([
    'yesterday',
    '2024',
    '2024-05',
    '2024-02-30',
    '2024-13-01',
    '2024-5/1',
    '2024-05-01 25:00',
    '1/5/2024',
    '5',
  ])('%s stays as it is', (text) => {
    expect(isoDate(text)).toBeUndefined();
    expect(metadata(`created: "${text}"`)).toEqual({ created: text });
  });

  test('a year alone stays a number, and other fields stay as they are', () => {
    expect(metadata('date: 2024\nserial: 20240501')).toEqual({ date: 2024, serial: 20240501 });
  });

  test('what is a date stays one, whatever surrounds it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const iso = isoDate(text);
        if (iso !== undefined) expect(isoDate(iso)).toBe(iso);
      }),
    );
    expect(isoDate(`2024-05-01${' '.repeat(50_000)}x`)).toBeUndefined();
  });
});

describe('bounds', () => {
  test('a field nested too deep is left out and noted, the others stay', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}x${']'.repeat(depth)}`;
    expect(readFrontMatter(`a: ${nested(10)}\nb: ${nested(11)}\ntitle: T`)).toMatchObject({
      title: 'T',
      metadata: { a: expect.anything(), title: 'T' },
      notes: ['front matter field "b" is not used: nested deeper than 10'],
    });
    const { notes, metadata: kept = {} } = readFrontMatter(`b: ${nested(9_000)}`) ?? {};
    expect([kept, notes]).toEqual([{}, ['front matter is not used: it is nested too deep']]);
    expect(readFrontMatter('title: T\na: &x [*x]')).toEqual({
      title: 'T',
      notes: ['front matter is not used: something in it is a part of itself, by an alias'],
    });
  });

  test('a list is no front matter', () => {
    expect(readFrontMatter('[a,\nb: c]')).toBeUndefined();
  });

  test('names of objects are names like others', () => {
    expect(Object.entries(metadata('__proto__: 1\nconstructor: 2') ?? {})).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });
});
