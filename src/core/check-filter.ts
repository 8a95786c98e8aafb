import { SurmiseError } from './errors.js';
import type { Condition, Filter } from './ports.js';

/** Filters within each other; a condition alone is 1. */
export const maxFilterDepth = 20;
const maxConditions = 200;
/** UTF-16 units. */
const maxFieldLength = 200;
const maxValueLength = 2_000;
const operators = ['=', '!=', '<', '<=', '>', '>=', 'starts', 'contains', 'exists'] as const;

/**
 * A copy of a filter that is one, with its names in one order, so that equal filters are equal JSON.
 *
 * @throws SurmiseError `bad_argument` that names what is wrong and where
 */
export function checkFilter(value: unknown): Filter {
  let conditions = 0;
  const check = (part: unknown, at: string, depth: number): Filter => {
    if (depth > maxFilterDepth) throw wrong(at, `is nested deeper than ${maxFilterDepth}`);
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw wrong(at, 'must be an object such as { field: "tags", is: "=", value: "travel" }');
    const given = part as Readonly<Record<string, unknown>>;
    const list = (name: string): Filter[] => {
      checkNames(given, [name], at);
      const items = given[name];
      if (!Array.isArray(items)) throw wrong(`${at}.${name}`, 'must be a list of filters');
      if (items.length > maxConditions) throw wrong(`${at}.${name}`, `has more than ${maxConditions} parts`);
      return items.map((item, index) => check(item, `${at}.${name}[${index}]`, depth + 1));
    };
    if (++conditions > maxConditions) throw wrong(at, `has more than ${maxConditions} parts`);
    if ('and' in given) return { and: list('and') };
    if ('or' in given) return { or: list('or') };
    if ('not' in given) {
      checkNames(given, ['not'], at);
      return { not: check(given.not, `${at}.not`, depth + 1) };
    }
    return checkCondition(given, at);
  };
  return check(value, 'where', 1);
}

function checkCondition(given: Readonly<Record<string, unknown>>, at: string): Condition {
  checkNames(given, ['field', 'is', 'value'], at);
  const { field, is, value } = given;
  if (typeof field !== 'string' || field === '' || field.length > maxFieldLength)
    throw wrong(`${at}.field`, `must be a name of 1 to ${maxFieldLength} characters`);
  const operator = operators.find((name) => name === is);
  if (operator === undefined) throw wrong(`${at}.is`, `must be one of ${operators.join(', ')}`);
  if (operator === 'exists') {
    if (value !== undefined) throw wrong(`${at}.value`, 'must be left out with "exists"');
    return { field, is: operator };
  }
  const isComparable = typeof value === 'string' || typeof value === 'number';
  if (operator !== '=' && operator !== '!=' && !isComparable)
    throw wrong(`${at}.value`, `must be a string or a number with "${operator}"`);
  if (!isValue(value))
    throw wrong(
      `${at}.value`,
      `must be a string of at most ${maxValueLength} characters, a finite number, true, false or null`,
    );
  return { field, is: operator, value };
}

function isValue(value: unknown): value is NonNullable<Condition['value']> | null {
  if (typeof value === 'string') return value.length <= maxValueLength;
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function checkNames(given: object, known: readonly string[], at: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(at, `has an unknown name "${unknown}". Known: ${known.join(', ')}`);
}

function wrong(at: string, what: string): SurmiseError {
  return new SurmiseError('bad_argument', `The filter is wrong: "${at}" ${what}.`);
}
