import type { Json } from '../core/ports.js';

/** The fields that every format gives the same name, so that one filter asks all of them. */
export type CommonFields = {
  readonly author?: string | readonly string[];
  /** ISO 8601, with a time and a zone where the file says them. */
  readonly date?: string;
  readonly updated?: string;
  readonly tags?: readonly string[];
};

/** What a format found of these fields, without those that it does not have. */
export function commonFields(found: {
  readonly author: string | readonly string[];
  readonly tags: readonly string[];
  readonly date: string | undefined;
  readonly updated: string | undefined;
}): CommonFields {
  const { author, tags, date, updated } = found;
  return {
    ...(author.length > 0 && { author }),
    ...(tags.length > 0 && { tags }),
    ...(date && { date }),
    ...(updated && { updated }),
  };
}

const maxTags = 100;
/** UTF-16 units. */
const maxTagLength = 100;
const maxDateLength = 50;

/** Year, month and day; hours, minutes and seconds with their fraction; the zone. */
const dateParts =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:T|[ \t]+)(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?[ \t]*(Z|[+-]\d{1,2}(?::?\d\d)?)?)?$/i;

/**
 * A date as ISO 8601 has it: `2024/5/1` and `20240501` become `2024-05-01`, `2024-5-1 9:30` becomes `2024-05-01T09:30`.
 * A time keeps its zone, and gets none where it has none. Undefined for what is no date of this kind.
 */
export function isoDate(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .trim()
    .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (text.length > maxDateLength) return undefined;
  const [, year, , month, day, hour, minute, second, zone] = dateParts.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // A day that its month does not have would come back as one of the next.
  const calendar = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(calendar.getTime()) || !calendar.toISOString().startsWith(date)) return undefined;
  if (hour === undefined) return date;
  const time = [hour.padStart(2, '0'), minute, ...(second === undefined ? [] : [second])].join(':');
  return Number(hour) < 24 && Number(minute) < 60
    ? `${date}T${time}${zone === undefined ? '' : isoZone(zone)}`
    : undefined;
}

function isoZone(zone: string): string {
  const [, sign, hours = '', minutes = '00'] = /^([+-])(\d{1,2}):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/**
 * Tags, each once, in order, without a leading `#`; at most 100 of at most 100 characters. An element of a list is a tag
 * as it stands; a text is cut first, see `splitTags`.
 */
export function tagsOf(values: readonly (Json | undefined)[]): string[] {
  const found = new Set<string>();
  for (const value of values.flat(2)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const tag = String(value).trim().replace(/^#+/, '');
    if (tag !== '' && tag.length <= maxTagLength && found.size < maxTags) found.add(tag);
  }
  return [...found];
}

/** A text cut at commas and semicolons, or with `spaces` at white space where it has none of these; other values as given. */
export function splitTags(value: Json | undefined, spaces = false): Json | undefined {
  if (typeof value !== 'string') return value;
  return value.split(spaces && !/[,;]/.test(value) ? /\s+/ : /[,;]/);
}
