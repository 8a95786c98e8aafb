import type { Block } from '../core/chunk.js';
import type { TextReading } from './from-text.js';
import { readPlainText } from './plain-text.js';

/** Values within each other; indentation makes a deeper text grow with its square. */
const maxDepth = 100;

/**
 * JSON as an indented text. An object is a block for each of its entries, with the name as the heading where more than
 * a plain value is in it; a list of objects, at the top or in an entry, is a block for each. What is not valid JSON
 * (settings with comments, for one) is read as plain text, which is noted.
 */
export function readJson(source: string): TextReading {
  if (isDeeper(source, maxDepth)) return asPlain(source, `more than ${maxDepth} values within each other`);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return asPlain(source, 'not valid JSON');
  }
  const text = JSON.stringify(value, null, 2);
  const title = isRecord(value) ? [value.title, value.name].find(isWords) : undefined;
  return { text, blocks: blocksOf(text, value), ...(title && { title }) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether there are more than `levels` lists and objects within each other. */
export function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeep(item, levels - 1));
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function asPlain(text: string, why: string): TextReading {
  return { ...readPlainText(text), notes: [`read as plain text: ${why}`] };
}

function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (quoted && unit === '\\') at++;
    else if (unit === '"') quoted = !quoted;
    else if (!quoted && (unit === '[' || unit === '{') && ++depth > limit) return true;
    else if (!quoted && (unit === ']' || unit === '}')) depth--;
  }
  return false;
}

/** Lines of the indented text begin entries where they are indented by two; of lists of objects, by two or four. */
function blocksOf(text: string, value: unknown): Block[] {
  if (typeof value !== 'object' || value === null) return [{ start: 0, end: text.length, heading: [], kind: 'value' }];
  const lists = isRecord(value) ? new Set(Object.keys(value).filter((key) => isList(value[key]))) : undefined;
  const blocks: Block[] = [];
  let open: Block | undefined;
  let inList = false;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(from, Math.min(end, from + 1_000));
    const indent = line.search(/\S/);
    const starts = !/^\s*[\]}]/.test(line) && (indent === 2 || (indent === 4 && inList));
    if (starts) {
      if (open !== undefined) blocks.push(open);
      const key = indent === 2 && lists !== undefined ? keyOf(line) : undefined;
      if (indent === 2) inList = key !== undefined && lists?.has(key) === true;
      const named = key !== undefined && /[[{]$/.test(line);
      open = { start: from, end, heading: indent === 4 ? (open?.heading ?? []) : named ? [key] : [], kind: 'row' };
    } else if (open !== undefined && indent >= 2) open = { ...open, end };
    from = end + 1;
  }
  if (open !== undefined) blocks.push(open);
  return blocks;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function keyOf(line: string): string | undefined {
  const [source] = /^\s*"(?:[^"\\]|\\.)*"(?=:)/.exec(line) ?? [];
  return source === undefined ? undefined : String(JSON.parse(source));
}
