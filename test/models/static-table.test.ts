import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import { readStaticTable } from '../../src/models/static-table.js';
import { smallTable, tableBytes } from './static-bytes.js';

const bytes = tableBytes(smallTable);

function refusal(candidate: Uint8Array): string {
  try {
    readStaticTable(candidate);
  } catch (error) {
    if (isSurmiseError(error) && error.code === 'bad_data') return error.message;
    throw error;
  }
  return 'accepted';
}

test('every field is read as it was written', () => {
  const table = readStaticTable(bytes);
  expect([table.dimensions, table.rows, table.unknown]).toEqual([2, 6, 0]);
  expect([...table.scales]).toEqual(smallTable.scales);
  expect([...table.values]).toEqual(smallTable.values);
  expect(table.vocabulary).toEqual(smallTable.vocabulary);
});

test('header lengths of every remainder, and bytes that begin inside a larger buffer at an odd offset', () => {
  for (const note of ['', 'a', 'ab', 'abc', 'abcd']) {
    const table = tableBytes({ ...smallTable, header: { note } });
    const larger = new Uint8Array(table.length + 20).fill(0xff);
    larger.set(table, 7);
    expect(readStaticTable(larger.subarray(7, 7 + table.length))).toEqual(readStaticTable(table));
  }
});

describe('refused with advice', () => {
  test('every truncation', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(refusal(bytes.subarray(0, length)), `${length} bytes`).toContain('install it again');
  });

  test.each([
    ['empty', new Uint8Array()],
    ['text', new TextEncoder().encode('# Notes\n\nThe ferry leaves at noon.\n'.repeat(50))],
    ['JSON', new TextEncoder().encode('{"format":1,"dim":2,"rows":6,"unk":0}')],
    ['zeros', new Uint8Array(10_000)],
    ['an SQLite file', new TextEncoder().encode(`SQLite format 3\0${'\0'.repeat(4_080)}`)],
    ['a gzip file', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...new Array<number>(100).fill(0x55))],
  ])('%s', (_, foreign) => {
    expect(refusal(foreign)).toContain('not a static embedder table');
  });

  test.each([
    [{ format: 2 }, 'its format is 2'],
    [{ format: undefined }, 'its format is undefined'],
    [{ dim: 0 }, '"dim"'],
    [{ dim: 1e9 }, '"dim"'],
    [{ dim: '2' }, '"dim"'],
    [{ rows: -1 }, '"rows"'],
    [{ rows: 2.5 }, '"rows"'],
    [{ rows: 1e9 }, '"rows"'],
    [{ rows: 999_999 }, 'before its word pieces'],
    [{ rows: 5 }, 'not a static embedder table'],
    [{ rows: 7 }, 'word pieces for 7 rows'],
    [{ dim: 3 }, 'word pieces for 6 rows'],
    [{ unk: 6 }, '"unk"'],
    [{ unk: null }, '"unk"'],
  ])('header with %j', (header, message) => {
    expect(refusal(tableBytes({ ...smallTable, header }))).toContain(message);
  });

  test('scales that are not numbers, pieces that are empty or stand there twice, text that is not UTF-8', () => {
    const withScale = (scale: number) => tableBytes({ ...smallTable, scales: [1, 1, 1, 1, 1, scale] });
    expect(refusal(withScale(Number.NaN))).toContain('scale');
    expect(refusal(withScale(Number.POSITIVE_INFINITY))).toContain('scale');
    const withLast = (piece: string) => tableBytes({ ...smallTable, vocabulary: ['a', 'b', 'c', 'd', 'e', piece] });
    expect(refusal(withLast(''))).toContain('empty or stands there twice');
    expect(refusal(withLast('##'))).toContain('empty or stands there twice');
    expect(refusal(withLast('a'))).toContain('empty or stands there twice');
    const broken = bytes.slice();
    broken[broken.length - 1] = 0xff;
    expect(refusal(broken)).toContain('not UTF-8');
  });

  test('property: any bytes are a table or refused, never another error', () => {
    const damaged = fc
      .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const copy = bytes.slice();
        for (const [at, value] of changes) copy[at] = value;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (candidate) => {
        refusal(candidate);
      }),
      { numRuns: 2_000 },
    );
  });
});
