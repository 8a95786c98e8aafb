import { SurmiseError } from './errors.js';
import type { Embedder, EmbedLimits } from './ports.js';

const limitNames = ['batch', 'concurrency', 'characters', 'tokens', 'callTokens', 'callBytes'] as const;
/** What may be `Infinity`, which is no limit. */
const endlessNames: readonly (keyof EmbedLimits)[] = ['characters', 'callTokens', 'callBytes'];

/**
 * What an embedder says of itself is stored with its vectors and decides which of them are comparable, so nothing is
 * written for one that says it badly.
 *
 * @throws SurmiseError `bad_argument` that names the part
 */
export function checkEmbedder(embedder: unknown): asserts embedder is Embedder {
  const { fingerprint, limits, embed, countTokens, price } = fieldsOf(embedder, 'The embedder');
  if (typeof embed !== 'function') throw bad('embed', 'must be a function');
  if (countTokens !== undefined && typeof countTokens !== 'function')
    throw bad('countTokens', 'must be a function or left out');
  checkFingerprint(fieldsOf(fingerprint, '"fingerprint" of the embedder'));
  checkLimits(fieldsOf(limits, '"limits" of the embedder'));
  if (price === undefined) return;
  const { perMillionTokens, currency } = fieldsOf(price, '"price" of the embedder');
  if (typeof perMillionTokens !== 'number' || !Number.isFinite(perMillionTokens) || typeof currency !== 'string')
    throw bad('price', 'needs "perMillionTokens", a number, and "currency", a string');
}

function checkFingerprint({ provider, model, dimensions, normalised, prefixes }: Fields): void {
  for (const [name, value] of Object.entries({ provider, model }))
    if (typeof value !== 'string' || value === '')
      throw bad(`fingerprint.${name}`, 'must be a string that is not empty');
  if (!isCount(dimensions)) throw bad('fingerprint.dimensions', 'must be a whole number, 1 or more');
  if (typeof normalised !== 'boolean') throw bad('fingerprint.normalised', 'must be true or false');
  if (prefixes === undefined) return;
  const { query, document } = fieldsOf(prefixes, '"fingerprint.prefixes" of the embedder');
  if (typeof query !== 'string' || typeof document !== 'string')
    throw bad('fingerprint.prefixes', 'needs the strings "query" and "document"');
}

function checkLimits(limits: Fields): void {
  for (const name of limitNames) {
    const value = limits[name];
    if (value === undefined && name !== 'batch') continue;
    const isEndless = value === Number.POSITIVE_INFINITY && endlessNames.includes(name);
    if (!isCount(value) && !isEndless)
      throw bad(`limits.${name}`, `is ${show(value)}; it must allow 1 or more, in a whole number`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields;
  throw new SurmiseError('bad_argument', `${what} must be an object.`);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

function show(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
}

function bad(part: string, what: string): SurmiseError {
  return new SurmiseError('bad_argument', `"${part}" of the embedder ${what}.`);
}
