import { parse } from 'yaml';
import { messageOf } from '../core/errors.js';
import type { Json } from '../core/ports.js';
import type { Reading } from './formats.js';

const maxLength = 20_000;
/** No two parts may match the same character: the time of trying them all would grow with the square of the length. */
const key = /^["']?[\p{L}_][\p{L}\p{N}_. \t-]*(?:["'][ \t]*)?:(?:\s|$)/mu;

export type FrontMatter = Pick<Reading, 'title' | 'metadata' | 'notes'>;

/**
 * The YAML between the `---` lines: `title`, and all of it as metadata. With a mistake in it only the title is used,
 * which is noted, and the rest stays out of the index: it may be private. Undefined for lines that are no front matter,
 * such as a letterhead: they are text.
 */
export function readFrontMatter(yaml: string): FrontMatter | undefined {
  if (!key.test(yaml.slice(0, maxLength))) return yaml.trim() === '' ? {} : undefined;
  if (yaml.length > maxLength) return { notes: [`front matter longer than ${maxLength} characters is not used`] };
  try {
    // Few aliases: nested ones make a short text expand without bound. (`silent` would hide errors too.)
    const value: unknown = parse(yaml, { maxAliasCount: 20, logLevel: 'error' });
    // What JSON does not have (dates, NaN, big integers) becomes a string or null; a loop of aliases throws.
    const json = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item));
    const metadata = JSON.parse(json) as Record<string, Json>;
    const { title } = metadata;
    return { metadata, ...titled(typeof title === 'number' ? String(title) : title) };
  } catch (error) {
    // An unquoted colon in a title is the most frequent mistake.
    const [, title] = /^title[ \t]*:[ \t]*(.*)$/m.exec(yaml) ?? [];
    return {
      ...titled(title?.replace(/^(["'])(.*)\1$/, '$2')),
      notes: [`front matter is not used: ${messageOf(error).split('\n')[0]}`],
    };
  }
}

function titled(title: Json | undefined): { title?: string } {
  return typeof title === 'string' && title.trim() !== '' ? { title: title.trim() } : {};
}
