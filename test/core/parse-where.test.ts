import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSurmiseError, SurmiseError } from '../../src/core/errors.js';
import { formatWhere, parseWhere } from '../../src/core/parse-where.js';
import type { Condition, Filter } from '../../src/core/ports.js';

const is = (field: string, sign: Condition['is'], value: Condition['value'] = null): Filter => ({
  field,
  is: sign,
  value,
});

describe('what is read', () => {
  test.each<[string, Filter]>([
    ['tags = travel', is('tags', '=', 'travel')],
    ['tags=travel', is('tags', '=', 'travel')],
    ['year >= 2024', is('year', '>=', 2024)],
    ['year<>-1.5e3', is('year', '!=', -1500)],
    ['a == b', is('a', '=', 'b')],
    ['date < 2024-01-05', is('date', '<', '2024-01-05')],
    ['zip = 01234', is('zip', '=', '01234')],
    ['id = 12345678901234567890', is('id', '=', '12345678901234567890')],
    ['big = 1e999', is('big', '=', '1e999')],
    ['draft = true and old != FALSE', { and: [is('draft', '=', true), is('old', '!=', false)] }],
    ['x = null', is('x', '=', null)],
    ['x = "null"', is('x', '=', 'null')],
    ['x = "7"', is('x', '=', '7')],
    ['x = constructor', is('x', '=', 'constructor')],
    ['title *= "two words"', is('title', 'contains', 'two words')],
    ['title*=x', is('title', 'contains', 'x')],
    ['title contains 7', is('title', 'contains', '7')],
    ['path ^= /a/', is('path', 'starts', '/a/')],
    ['path STARTS /a/', is('path', 'starts', '/a/')],
    ["path = notes/o'neil.md", is('path', '=', "notes/o'neil.md")],
    ["path = 'notes/o\\'neil.md'", is('path', '=', "notes/o'neil.md")],
    ['path = "C:\\notes\\a.md"', is('path', '=', 'C:\\notes\\a.md')],
    ['path = "C:\\\\"', is('path', '=', 'C:\\')],
    ['x = ""', is('x', '=', '')],
    ['exists author.name', { field: 'author.name', is: 'exists' }],
    ['"my field" = 1', is('my field', '=', 1)],
    ['`and` = 1', is('and', '=', 1)],
    ['größe-2.x = 見出し', is('größe-2.x', '=', '見出し')],
    ['wow = !important', is('wow', '=', '!important')],
    ['a in (x, "y z", 3)', { or: [is('a', '=', 'x'), is('a', '=', 'y z'), is('a', '=', 3)] }],
    ['a not in (x)', { not: { or: [is('a', '=', 'x')] } }],
    ['not a = 1', { not: is('a', '=', 1) }],
    ['not not (a = 1)', { not: { not: is('a', '=', 1) } }],
    ['a=1 or b=2 and c=3', { or: [is('a', '=', 1), { and: [is('b', '=', 2), is('c', '=', 3)] }] }],
    ['(a=1 or b=2) and c=3', { and: [{ or: [is('a', '=', 1), is('b', '=', 2)] }, is('c', '=', 3)] }],
    ['not a=1 and b=2', { and: [{ not: is('a', '=', 1) }, is('b', '=', 2)] }],
    [' \n\ta = 1\n', is('a', '=', 1)],
  ])('%s', (text, expected) => {
    expect(parseWhere(text)).toEqual(expected);
  });
});

describe('what is not', () => {
  test.each<[string, RegExp]>([
    ['', /character 1: expected a field, "not", "exists" or "\(", found the end/],
    ['tags', /character 5: expected an operator such as =.* found the end/],
    ['tags =', /character 7: expected a value.* found the end/],
    ['tags = and x = 1', /character 8: expected a value; .*, found "and"/],
    ['tags = a b', /character 10: expected "and", "or" or the end; .*quotes, found "b"/],
    ["tag = it's ; DROP TABLE documents", /character 12: expected "and", "or" or the end.* found ";"/],
    ['a = 1 and', /character 10: expected a field/],
    ['a = 1 or or b = 2', /character 10: expected a field.* found "or"/],
    ['(a = 1', /character 7: expected "\)", found the end/],
    ['a = 1)', /character 6: expected "and".* found "\)"/],
    ['a in x', /character 6: expected "\(", found "x"/],
    ['a in ()', /character 7: expected a value, found "\)"/],
    ['a in (1 2)', /character 9: expected "\)", found "2"/],
    ['a not = 1', /character 7: expected "in", found "="/],
    ['a = "x', /character 5: the quote is not closed/],
    ['a = "x\\"', /character 5: the quote is not closed/],
    ['a = x=1', /character 6: expected "and"/],
    ['a ^== 1', /character 3: expected an operator.* found "\^=="/],
    ['a < null', /must be a string or a number with "<"/],
    ['= 1', /character 1: expected a field/],
    [`${'('.repeat(21)}a=1`, /at most 20 levels/],
    ['('.repeat(10_000), /at most 20 levels/],
    ['not '.repeat(2_000), /at most 20 levels/],
    [`a = ${'x'.repeat(9_000)}`, /at most 2000 characters/],
    ['x'.repeat(10_001), /longer than 10000 characters/],
    [Array(201).fill('a=1').join(' or '), /more than 200 parts/],
  ])('%.60s', (text, message) => {
    expect(() => parseWhere(text)).toThrow(
      expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) }),
    );
  });

  test('no text', () => {
    for (const text of [undefined, null, 5, {}])
      expect(() => parseWhere(text as unknown as string)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
  });
});

describe('any', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('and', 'true', '7', "it's", '\\', '"', '\\"', '\n', "'; DROP TABLE documents; --"),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.constantFrom(true, false, null),
  );
  const field = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), fc.constantFrom('a.b', 'not'));
  const condition: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({ field, is: fc.constantFrom('=' as const, '!=' as const), value }),
    fc.record({
      field,
      is: fc.constantFrom<Condition['is']>('<', '>=', 'starts', 'contains'),
      value: fc.string({ unit: 'binary', maxLength: 20 }),
    }),
    fc.record({ field, is: fc.constant('exists' as const) }),
  );
  const filter = fc.letrec<{ filter: Filter; list: readonly Filter[] }>((tie) => ({
    list: fc.array(tie('filter'), { minLength: 2, maxLength: 4 }),
    filter: fc.oneof(
      { maxDepth: 3 },
      condition,
      tie('list').map((and) => ({ and })),
      tie('list').map((or) => ({ or })),
      tie('filter').map((not) => ({ not })),
    ),
  })).filter;

  test('filter is read back as it was', () => {
    fc.assert(
      fc.property(filter, (given) => {
        expect(parseWhere(formatWhere(given))).toEqual(given);
      }),
    );
  });

  const piece = fc.constantFrom(
    ...['a', 'tags', '=', '!=', '<', '^=', '*', '!', 'and', 'or', 'not', 'in', 'exists', 'starts', '(', ')', ',', ' '],
    ...['"', "'", '`', '\\', '\\"', '7', '-', '2024-01-01', ';', '--', '\n', '\0', '😀', '\ud83d'],
  );
  test.each([
    ['text', fc.string({ unit: 'binary', maxLength: 200 })],
    ['pieces', fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))],
  ])('%s is a filter or a mistake that says where', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseWhere(text);
        } catch (error) {
          expect(isSurmiseError(error) && error.code).toBe('bad_argument');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('long text comes to an end', () => {
    for (const unit of ['"\\', 'a ', '=', '!', ' ', '(a=1) and ', "a='b' or "])
      expect(() => parseWhere(unit.repeat(10_000 / unit.length))).toThrow(SurmiseError);
  });
});

test.each([2 ** 53, -(2 ** 53), 1e20, 1e21, -1.5e300, 5e-324, 0.1])('%s is read as it is shown', (value) => {
  for (const is of ['=', '<'] as const) {
    const filter = { field: 'n', is, value };
    expect(parseWhere(formatWhere(filter))).toEqual(filter);
  }
});

test('digits that a number can not hold stay text, also where the text is shown again', () => {
  const filter = parseWhere('n = 9007199254740993');
  expect(filter).toEqual({ field: 'n', is: '=', value: '9007199254740993' });
  expect(parseWhere(formatWhere(filter))).toEqual(filter);
});
