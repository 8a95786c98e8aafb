import type { Condition, Document, Filter, Json } from './ports.js';

/** What a filter sees of a document. */
export type FilterDocument = Pick<Document, 'id' | 'path' | 'title' | 'language' | 'collection' | 'metadata'>;

/** Fields of the document itself; every other name is one of its metadata. */
export const documentFields = ['id', 'path', 'title', 'language', 'collection'] as const;

/** Lists and objects within each other that a filter looks into. */
const maxDepth = 50;
const maxNumberLength = 40;
const ascii = /^[\0-\x7f]*$/;
const number = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** A year, a month or a day, as a condition names it. */
const calendar = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;
/** A date of a document, with or without a time. */
const date = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/**
 * Whether a document fulfils a filter. This is the one meaning that every store gives it:
 *
 * - **Fields.** `id`, `path` (the id where none is given), `title`, `language` and `collection` are the document's own;
 *   every other name is one of the metadata, compared as texts are. `a.b` is the key `a.b` where there is one, else `b` in `a`,
 *   and where `a` is a list, in any of its elements. `tag` looks at `tags` as well. An empty title, language or
 *   collection is missing.
 * - **Lists** fulfil a condition when one of their elements does.
 * - **Missing fields** fulfil no condition but `!=`, which is exactly `not =`. `exists` asks for a value that is not null;
 *   an empty list has none.
 * - **Numbers** compare as numbers, also with a text that reads as a number: `2024` equals `"2024"`.
 * - **Texts** compare by UTF-16 code units in NFC; case counts.
 * - **Dates** are texts in ISO form. Against a year, a month or a day they compare at that precision, also where the year
 *   is a number: `2024-05-01T10:00Z` equals `2024`, `2024-05` and `2024-05-01`. Time zones are not looked at.
 * - **Booleans and null** know `=` and `!=` only.
 * - `starts` is a prefix of a text; in `path` and `id` a backslash of the condition also stands for a slash.
 * - `contains` is a part of a text, or an element of a list.
 * - `{ and: [] }` lets everything through, `{ or: [] }` nothing.
 */
export function matchesFilter(filter: Filter, document: FilterDocument): boolean {
  return filterPredicate(filter)(document);
}

/** `matchesFilter` for many documents. */
export function filterPredicate(filter: Filter): (document: FilterDocument) => boolean {
  if ('and' in filter) {
    const parts = filter.and.map(filterPredicate);
    return (document) => parts.every((part) => part(document));
  }
  if ('or' in filter) {
    const parts = filter.or.map(filterPredicate);
    return (document) => parts.some((part) => part(document));
  }
  if ('not' in filter) {
    const part = filterPredicate(filter.not);
    return (document) => !part(document);
  }
  const { field, is } = filter;
  const test = valueTest(filter);
  if (is === '!=') return (document) => !valuesOf(document, field).some(test);
  return (document) => valuesOf(document, field).some(test);
}

/** The names of the fields that a filter looks at. */
export function filterFields(filter: Filter): Set<string> {
  if ('and' in filter) return new Set(filter.and.flatMap((part) => [...filterFields(part)]));
  if ('or' in filter) return new Set(filter.or.flatMap((part) => [...filterFields(part)]));
  return 'not' in filter ? filterFields(filter.not) : new Set([filter.field]);
}

function valuesOf(document: FilterDocument, field: string): Json[] {
  const own = documentFields.find((name) => name === field);
  if (own === undefined) {
    const values = lookUp(document.metadata, field);
    return field === 'tag' ? [...values, ...lookUp(document.metadata, 'tags')] : values;
  }
  const value = document[own] ?? (own === 'path' ? document.id : '');
  return value === '' ? [] : [value];
}

function lookUp(value: Json | undefined, path: string, depth = 0): Json[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (isList(value)) return value.flatMap((item) => lookUp(item, path, depth + 1));
  const at = (key: string) => {
    const own = Object.hasOwn(value, key) ? key : sameName(value, key);
    return own === undefined ? undefined : value[own];
  };
  const whole = at(path);
  if (whole !== undefined) return [whole];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const inner = at(path.slice(0, dot));
    if (inner !== undefined) return lookUp(inner, path.slice(dot + 1), depth + 1);
  }
  return [];
}

/** The key that is the same name in another form of Unicode. */
function sameName(value: object, name: string): string | undefined {
  if (ascii.test(name)) return undefined;
  const wanted = name.normalize('NFC');
  return Object.keys(value).find((key) => key.normalize('NFC') === wanted);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value, or an element of a list, passes. */
function anyOf(value: Json, test: (item: Json) => boolean, depth = 0): boolean {
  if (!isList(value)) return test(value);
  return depth <= maxDepth && value.some((item) => anyOf(item, test, depth + 1));
}

/** What a condition asks of one value; `!=` asks what `=` asks. */
function valueTest({ field, is, value: wanted = null }: Condition): (value: Json) => boolean {
  const some = (test: (item: Json) => boolean) => (value: Json) => anyOf(value, test);
  if (is === 'exists') return some((item) => item !== null);
  const compare = comparison(wanted);
  const equals = some((item) => item === wanted || compare(item) === 0);
  const text = String(wanted).normalize('NFC');
  switch (is) {
    case '=':
    case '!=':
      return equals;
    case '<':
      return some((item) => compare(item)! < 0);
    case '<=':
      return some((item) => compare(item)! <= 0);
    case '>':
      return some((item) => compare(item)! > 0);
    case '>=':
      return some((item) => compare(item)! >= 0);
    case 'starts': {
      const forms = field === 'path' || field === 'id' ? [text, text.replaceAll('\\', '/')] : [text];
      return some((item) => forms.some((form) => textOf(item)?.startsWith(form) ?? false));
    }
    case 'contains':
      return (value) => (isList(value) ? equals(value) : (textOf(value)?.includes(text) ?? false));
  }
}

/** Below 0, 0 or above 0 as a value stands to the wanted one; undefined where they do not compare. */
function comparison(wanted: NonNullable<Condition['value']> | null): (value: Json) => number | undefined {
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return () => undefined;
  const text = String(wanted).normalize('NFC');
  const amount = numberOf(wanted);
  const isCalendar = calendar.test(text);
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    if (typeof value === 'string' && isCalendar && date.test(value)) return order(value.slice(0, text.length), text);
    if (typeof value === 'string' && typeof wanted === 'string') return order(value.normalize('NFC'), text);
    const other = numberOf(value);
    return other === undefined || amount === undefined ? undefined : other - amount;
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function numberOf(value: string | number): number | undefined {
  if (typeof value === 'number') return value;
  return value.length <= maxNumberLength && number.test(value) ? Number(value) : undefined;
}

function textOf(value: Json): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).normalize('NFC') : undefined;
}
