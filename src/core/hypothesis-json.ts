/** What models call the passage when they answer in JSON; ours comes first. */
const keys = ['passage', 'hypothesis', 'text', 'answer', 'content', 'response', 'document', 'output', 'result'];
const key = `"(?:${keys.join('|')})"`;
const named = new RegExp(`\\{\\s{0,40}${key}\\s{0,10}:`, 'gi');
const cutOff = new RegExp(
  `^\\[?\\s{0,40}\\{\\s{0,40}${key}\\s{0,10}:|^\\{\\s{0,40}"?[a-z]{0,10}$|^\\[\\s{0,40}"[^"]*$`,
  'i',
);
/** UTF-16 units of a value that can be a passage. */
const leastPassage = 20;
/** Objects that are looked into; a text with more is no answer. */
const maxObjects = 64;

export type Unwrapped = { readonly text: string } | 'cut off';

/**
 * The passage out of JSON: of a text that is JSON, or JSON with less around it than the passage is long (the last one
 * where there are several). A text that is something else stays as it is, and so does JSON without a passage, which may
 * be source code. JSON that begins as an answer and does not end is `cut off`.
 */
export function unwrapJson(text: string): Unwrapped {
  const whole = parse(text);
  if (whole !== undefined) return { text: passageOf(whole) ?? text };
  let outside = text.length;
  let last: string | undefined;
  let end = 0;
  let objects = 0;
  for (const { index } of text.matchAll(named)) {
    if (index < end) continue;
    if (++objects > maxObjects) return { text };
    end = endOfObject(text, index);
    if (end < 0) return last === undefined || index === 0 ? 'cut off' : { text: last };
    outside -= end - index;
    last = passageOf(parse(text.slice(index, end))) ?? last;
  }
  if (last !== undefined && last.length >= leastPassage && last.length > outside) return { text: last };
  return cutOff.test(text) ? 'cut off' : { text };
}

/** Undefined where the text is no object, list or string in JSON; line ends within strings are forgiven. */
function parse(text: string): unknown {
  const first = text[0];
  if (first !== '{' && first !== '[' && first !== '"') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(text.replace(/\s+/g, ' '));
    } catch {
      return undefined;
    }
  }
}

/** The string under a known key, else the only long one, at most three levels down; the first of a list. */
function passageOf(value: unknown, depth = 3): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) {
    const passages = value.slice(0, 32).map((one: unknown) => passageOf(one, depth - 1));
    return passages.every((passage) => passage !== undefined) ? passages[0] : undefined;
  }
  const entries = Object.entries(value);
  for (const name of keys) {
    const entry = entries.find(([key]) => key.toLowerCase() === name);
    if (entry === undefined) continue;
    if (entry[1] === null) return '';
    const found = passageOf(entry[1], depth - 1);
    // A short value beside others is a setting in an example, not an answer.
    if (found !== undefined && (name === keys[0] || entries.length === 1 || found.length >= leastPassage)) return found;
  }
  const strings = entries.filter(([, one]) => typeof one === 'string' && one.length >= leastPassage);
  return entries.length === 1 && strings.length === 1 ? (strings[0]![1] as string) : undefined;
}

/** Where the object that begins at `start` ends, or −1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return i + 1;
  }
  return -1;
}
