import { describe, expect, test } from 'vitest';
import { checkOptions, maxQuestionLength, normaliseQuestion, type SearchOptions } from '../../src/core/options.js';

const bad = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });
/** As a caller without types would give them. */
const check = (options: unknown) => checkOptions(options as SearchOptions);

test('defaults', () => {
  expect(checkOptions({})).toEqual({
    k: 10,
    hyde: 'auto',
    feedback: true,
    per: 'document',
    minScore: 0,
    deadlineMs: 5_000,
    fusion: 'linear',
    scale: 'min-max',
    anchor: 'mix',
    mix: 0.5,
    beta: 0.5,
    expansion: 'rocchio',
    mmr: false,
    trim: false,
    explain: false,
  });
});

test('undefined counts as not given, 0 and false count as given', () => {
  expect(check({ k: undefined, denseWeight: 0, feedback: false })).toMatchObject({
    k: 10,
    denseWeight: 0,
    feedback: false,
  });
});

describe('values out of range', () => {
  const wrong: Record<string, unknown[]> = {
    k: [0, -1, 1.5, 1_001, Number.NaN, Number.POSITIVE_INFINITY, '10', null, 10n],
    mode: ['', 'bm25', 'Hybrid', null, 1],
    hyde: [true, 'yes', 'ON'],
    hypotheses: [
      'one',
      [1],
      [null],
      [{}],
      [{ text: 'x', weight: 0 }],
      [{ text: 1 }],
      Array.from({ length: 65 }, () => 'x'),
      {},
    ],
    n: [0, 33, 2.5, Number.NaN, '3'],
    prompt: [null, 'legal', 5, { type: 5 }, { kind: 'legal' }, { passages: [] }],
    history: [
      null,
      'before',
      [null],
      [{ role: 'system', text: 'x' }],
      [{ role: 'user' }],
      Array.from({ length: 101 }, () => ({ role: 'user', text: 'x' })),
    ],
    feedback: [0, 1, 'true', null],
    per: ['file', null],
    minScore: [-0.1, 1.1, Number.NaN, '0.5', null],
    deadlineMs: [0, -5, 600_001, Number.NaN, Number.POSITIVE_INFINITY, 1.5],
    fusion: ['sum', 'RRF', null],
    scale: ['minmax', 'z', null, 1],
    anchor: ['mean', 'Mix', null],
    mix: [-0.1, 1.1, Number.NaN],
    beta: [-1, 11, '0.5', Number.NaN],
    expansion: ['Rocchio', null, true],
    denseWeight: [-0.01, 1.01, Number.NaN, '1'],
    where: ['tags = x', null, 5],
    rerank: [null, 1, 'on', [], { depth: 0 }, { depth: 1_001 }, { top: 5 }],
    mmr: [null, 0.5, [], { lambda: 1.1 }, { lambda: Number.NaN }, { lamda: 0.5 }],
    trim: [null, 0.38, { floor: 1.1 }, { floor: '0.3' }, { toString: 1 }],
    explain: [1, 'true', null],
    signal: [{ aborted: false }, null, 'stop'],
  };
  const cases = Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  test.each(cases)('%s = %s', (name, value) => {
    expect(() => check({ [name]: value })).toThrow(bad(new RegExp(`^"${name}" must be `)));
  });

  test('every option is checked', () => {
    expect(() => check({ unknown: 1 })).toThrow(bad(new RegExp(Object.keys(wrong).join(', '))));
  });
});

test('a filter is copied, and what is wrong in it is named', () => {
  const where = { and: [{ field: 'a', is: '=', value: 1 }] };
  const { where: checked } = check({ where });
  where.and.pop();
  expect(checked).toEqual({ and: [{ field: 'a', is: '=', value: 1 }] });
  expect(() => check({ where: { field: 'a', is: 'like' } })).toThrow(bad(/"where.is" must be one of/));
  expect(check({ where: undefined })).not.toHaveProperty('where');
});

test.each(['K', 'topK', 'limit', '__proto__x', 'constructor', 'toString'])('an unknown option: %s', (name) => {
  expect(() => check({ [name]: 5 })).toThrow(bad(new RegExp(`Unknown search option "${name}"`)));
});

test.each([null, 5, 'k=3'])('options that are no object: %s', (options) => {
  expect(() => check(options)).toThrow(bad(/options/));
});

describe('the question', () => {
  test('is brought to NFC and trimmed', () => {
    expect(normaliseQuestion('  cafe\u0301\n')).toBe('caf\u00e9');
    expect(normaliseQuestion('\u3000 \ufeff')).toBe('');
  });

  test.each([undefined, null, 5, ['a'], {}])('%s is none', (query) => {
    expect(() => normaliseQuestion(query)).toThrow(bad(/must be a string/));
  });

  test('has a longest length', () => {
    expect(normaliseQuestion('x'.repeat(maxQuestionLength))).toHaveLength(maxQuestionLength);
    expect(() => normaliseQuestion('x'.repeat(maxQuestionLength + 1))).toThrow(bad(/longer than 20000/));
  });
});
