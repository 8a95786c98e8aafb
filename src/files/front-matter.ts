import { parse } from 'yaml';
import { messageOf } from '../core/errors.js';
import type { Json } from '../core/ports.js';
import type { Reading } from './formats.js';
import { isDeep } from './json.js';
import { isoDate, splitTags, tagsOf } from './metadata-fields.js';

const maxLength = 20_000;
/** Lists and objects within each other. */
const maxDepth = 10;
const dateNames = ['date', 'created', 'updated', 'modified', 'published'];
/** No two parts may match the same character: the time of trying them all would grow with the square of the length. */
const key = /^["']?[\p{L}_][\p{L}\p{N}_. \t-]*(?:["'][ \t]*)?:(?:\s|$)/mu;

export type FrontMatter = Pick<Reading, 'title' | 'metadata' | 'notes'>;

/**
 * The YAML between the `---` lines: `title`, and all of it as metadata. `tags` is the list of what `tags`, `tag`,
 * `keywords`, `categories` and `category` say, in a list or a text; dates are ISO texts, never moved to another zone.
 * With a mistake in it only the title is used, which is noted, and the rest stays out of the index: it may be private.
 * Undefined for lines that are no front matter, such as a letterhead: they are text.
 */
export function readFrontMatter(yaml: string): FrontMatter | undefined {
  if (!key.test(yaml.slice(0, maxLength))) return yaml.trim() === '' ? {} : undefined;
  if (yaml.length > maxLength) return { notes: [`front matter longer than ${maxLength} characters is not used`] };
  try {
    // Few aliases: nested ones make a short text expand without bound. (`silent` would hide errors too.)
    const value: unknown = parse(yaml, { maxAliasCount: 20, logLevel: 'error' });
    // What JSON does not have (dates, NaN, big integers) becomes a string or null; a loop of aliases throws.
    const json = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item));
    const metadata: unknown = JSON.parse(json);
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined;
    return fieldsOf(metadata as Record<string, Json>);
  } catch (error) {
    // An unquoted colon in a title is the most frequent mistake.
    const [, title] = /^title[ \t]*:[ \t]*(.*)$/m.exec(yaml) ?? [];
    return {
      ...titled(title?.replace(/^(["'])(.*)\1$/, '$2')),
      notes: [`front matter is not used: ${mistakeOf(error)}`],
    };
  }
}

function mistakeOf(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n');
  // The parser of YAML goes into each level, and passes on what the engine says when there are too many.
  if (/call stack/i.test(line)) return 'it is nested too deep';
  // Of JSON, since the parser has errors of its own.
  return error instanceof TypeError ? 'something in it is a part of itself, by an alias' : line;
}

function fieldsOf(given: Readonly<Record<string, Json>>): FrontMatter {
  const notes: string[] = [];
  const entries = Object.entries(given).filter(([name, value]) => {
    const isFlat = !isDeep(value, maxDepth);
    if (!isFlat) notes.push(`front matter field "${name.slice(0, 100)}" is not used: nested deeper than ${maxDepth}`);
    return isFlat;
  });
  const metadata = Object.fromEntries(
    entries.map(([name, value]) => [name, dateNames.includes(name.toLowerCase()) ? (isoDate(value) ?? value) : value]),
  );
  const { title, tag, tags, keywords, category, categories } = metadata;
  const all = tagsOf([
    ...[splitTags(tags, true), splitTags(tag)],
    ...[splitTags(keywords), splitTags(categories, true), splitTags(category)],
  ]);
  return {
    metadata: { ...metadata, ...(all.length > 0 && { tags: all }) },
    ...titled(typeof title === 'number' ? String(title) : title),
    ...(notes.length > 0 && { notes }),
  };
}

function titled(title: Json | undefined): { title?: string } {
  return typeof title === 'string' && title.trim() !== '' ? { title: title.trim() } : {};
}
