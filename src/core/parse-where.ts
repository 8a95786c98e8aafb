import { checkFilter, maxFilterDepth } from './check-filter.js';
import { SurmiseError } from './errors.js';
import type { Condition, Filter } from './ports.js';

/** UTF-16 units. */
const maxLength = 10_000;
const maxShown = 40;

interface Token {
  readonly kind: 'word' | 'quoted' | 'sign' | 'end';
  readonly text: string;
  /** In UTF-16 units, from 0. */
  readonly at: number;
}

/** Signs first, then quotes, then words: a quote inside a word is a letter of it, as in `o'neil.md`. */
const pattern =
  /\s*(?:([(),]|[!<>^*]?==?|<>|[<>])|(["'`])((?:\\[\s\S]|(?!\2)[^\\])*)(\2?)|((?:(?![!^*]=)[^\s(),=<>])+))/y;
const escapes = /\\(["'`\\])/g;
const numeral = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const plainField = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const reserved = ['and', 'or', 'not', 'in', 'exists', 'starts', 'contains'];
const operators: Readonly<Record<string, Condition['is']>> = {
  ...{ '=': '=', '==': '=', '!=': '!=', '<>': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
  ...{ '^=': 'starts', starts: 'starts', '*=': 'contains', contains: 'contains' },
};
const literals = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a filter as people write it:
 *
 *     filter    = all { "or" all }
 *     all       = part { "and" part }
 *     part      = "not" part | "(" filter ")" | "exists" field | condition
 *     condition = field operator value | field [ "not" ] "in" "(" value { "," value } ")"
 *     operator  = "=" | "!=" | "<" | "<=" | ">" | ">=" | "starts" or "^=" | "contains" or "*="
 *
 * A field is a word such as `year` or `author.name`. A value is a word: a number, `true`, `false` and `null` are what they
 * say, everything else, dates too, is text. What holds spaces, signs or a word of the grammar stands in `"`, `'` or `` ` ``
 * and is text; inside, a backslash before a quote or a backslash makes it a letter, and is itself before anything else.
 * Words of the grammar may be written in capitals.
 *
 * @throws SurmiseError `bad_argument` with the place of the mistake and what was expected there
 */
export function parseWhere(text: string): Filter {
  if (typeof text !== 'string') throw new SurmiseError('bad_argument', 'The filter must be a string.');
  if (text.length > maxLength)
    throw new SurmiseError('bad_argument', `The filter is longer than ${maxLength} characters.`);
  const tokens = tokensOf(text);
  let next = 0;

  const peek = () => tokens[next]!;
  const takeIf = (...words: string[]) => {
    const { kind, text: word } = peek();
    if ((kind !== 'word' && kind !== 'sign') || !words.includes(word.toLowerCase())) return undefined;
    next++;
    return word.toLowerCase();
  };
  const take = (kind: Token['kind'], word: string) => {
    if (peek().kind !== kind || takeIf(word) === undefined) throw mistake(peek(), `"${word}"`);
  };
  /** A word that is none of the grammar, or something in quotes. */
  const name = (expected: string) => {
    const token = peek();
    const isName = token.kind === 'quoted' || (token.kind === 'word' && !reserved.includes(token.text.toLowerCase()));
    if (!isName) throw mistake(token, expected);
    next++;
    return token;
  };
  const series = (word: 'and' | 'or', part: (depth: number) => Filter, depth: number): Filter => {
    const parts = [part(depth)];
    while (takeIf(word)) parts.push(part(depth));
    return parts.length === 1 ? parts[0]! : word === 'and' ? { and: parts } : { or: parts };
  };
  const filter = (depth: number): Filter => series('or', (inner) => series('and', part, inner), depth);
  const part = (depth: number): Filter => {
    if (depth > maxFilterDepth) throw mistake(peek(), `at most ${maxFilterDepth} levels`);
    if (takeIf('not')) return { not: part(depth + 1) };
    if (takeIf('exists')) return { field: name('a field').text, is: 'exists' };
    if (!takeIf('(')) return condition();
    const inner = filter(depth + 1);
    take('sign', ')');
    return inner;
  };
  const condition = (): Filter => {
    const field = name('a field, "not", "exists" or "("').text;
    const negated = takeIf('not') !== undefined;
    if (negated) take('word', 'in');
    if (negated || takeIf('in')) {
      take('sign', '(');
      const values = [literalOf(name('a value'))];
      while (takeIf(',')) values.push(literalOf(name('a value')));
      take('sign', ')');
      const any: Filter = { or: values.map((value) => ({ field, is: '=', value })) };
      return negated ? { not: any } : any;
    }
    const operator = takeIf(...Object.keys(operators));
    if (operator === undefined) throw mistake(peek(), 'an operator such as =, !=, <, >=, starts, contains or in');
    const is = operators[operator]!;
    const token = name('a value; one that is a word of the grammar stands in quotes');
    return { field, is, value: is === 'starts' || is === 'contains' ? token.text : literalOf(token) };
  };

  const whole = filter(1);
  if (peek().kind !== 'end') throw mistake(peek(), '"and", "or" or the end; a value with spaces stands in quotes');
  return checkFilter(whole);
}

/** A filter as `parseWhere` reads it. An empty list has no such form and is shown in words. */
export function formatWhere(filter: Filter): string {
  const inner = (part: Filter) => ('and' in part || 'or' in part ? `(${formatWhere(part)})` : formatWhere(part));
  if ('and' in filter) return filter.and.map(inner).join(' and ') || 'everything';
  if ('or' in filter) return filter.or.map(inner).join(' or ') || 'nothing';
  if ('not' in filter) return `not ${inner(filter.not)}`;
  const { field, is, value } = filter;
  const name = plainField.test(field) && !reserved.includes(field.toLowerCase()) ? field : quote(field);
  if (is === 'exists') return `exists ${name}`;
  return `${name} ${is} ${formatValue(value)}`;
}

function formatValue(value: Condition['value']): string {
  if (typeof value === 'string') return quote(value);
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge ? value.toExponential() : String(value);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function literalOf({ kind, text }: Token): NonNullable<Condition['value']> | null {
  if (kind === 'quoted') return text;
  const literal = literals.get(text.toLowerCase());
  if (literal !== undefined) return literal;
  const number = numeral.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return text;
  // Digits that a number can not hold exactly stay text, which compares with numbers as well. An exponent is one's own.
  const isNumber = !Number.isInteger(number) || Number.isSafeInteger(number) || /e/i.test(text);
  return isNumber ? number : text;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const scanner = new RegExp(pattern);
  const { length } = text.trimEnd();
  while (scanner.lastIndex < length) {
    // Every character that is no space begins a sign, a quote or a word.
    const match = scanner.exec(text)!;
    const [whole, sign, opening, body = '', closing, word = ''] = match;
    const at = match.index + whole.length - whole.trimStart().length;
    if (opening !== undefined && closing === '')
      throw new SurmiseError(
        'bad_argument',
        `The filter is wrong at character ${at + 1}: the quote is not closed. (A backslash before a quote makes it a letter.)`,
      );
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at });
    else if (opening !== undefined) tokens.push({ kind: 'quoted', text: body.replace(escapes, '$1'), at });
    else tokens.push({ kind: 'word', text: word, at });
  }
  tokens.push({ kind: 'end', text: '', at: length });
  return tokens;
}

function mistake({ kind, text, at }: Token, expected: string): SurmiseError {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  const found = kind === 'end' ? 'the end' : `"${shown}"`;
  return new SurmiseError(
    'bad_argument',
    `The filter is wrong at character ${at + 1}: expected ${expected}, found ${found}.`,
  );
}
