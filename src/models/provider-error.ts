import { isSurmiseError, messageOf, SurmiseError } from '../core/errors.js';

const maxExcerpt = 200;
/** What looks like a credential: after its scheme, by its prefix, or a long run of letters and digits. */
const secrets = [
  /\b(?:bearer|basic)\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|key|token|pat)[-_][^\s"',;]{6,}/gi,
  /(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{16,}/gi,
];
/** A number as people write one: no exponent, no other base. */
const seconds = /^\s*-?\d+(?:\.\d+)?\s*$/;
/** The one form that servers may send (IMF-fixdate); `Date.parse` takes a year out of any text. */
const fixdate =
  /^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT\s*$/;
/** Credentials, account, model or address are wrong: no other text fares better. */
const hopeless = new Set([401, 402, 403, 404, 405, 410]);

/** The HTTP status of an error of the AI SDK, also of one that was retried. */
export function httpStatus(error: unknown): number | undefined {
  const status = field(lastOf(error), 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/**
 * What a provider's failure means to the user, as `provider_failed` with the original as `cause`. The message quotes
 * at most 200 characters of the provider's own words, with everything masked that could be a credential, and none of
 * them where credentials were refused (providers repeat the key there). Errors of Surmise pass through.
 *
 * @param who the model, for people
 */
export function providerError(who: string, error: unknown): SurmiseError {
  if (isSurmiseError(error)) return error;
  const root = lastOf(error);
  const status = httpStatus(error);
  const advice = status === undefined ? adviceWithoutStatus(messageOf(root)) : adviceFor(status);
  const quoted = status === 401 || status === 403 ? '' : excerpt(messageOf(root));
  const used = field(field(field(root, 'data'), 'error'), 'code') === 'insufficient_quota';
  const retryAfterMs = retryAfter(field(root, 'responseHeaders'));
  return new SurmiseError('provider_failed', `${who} ${advice}${quoted === '' ? '.' : `: ${quoted}`}`, {
    cause: error,
    retryable: field(root, 'isRetryable') === true && !used,
    fatal: used || (status !== undefined && hopeless.has(status)),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/**
 * How long a server asks to be left alone, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3).
 */
function retryAfter(headers: unknown): number | undefined {
  const precise = field(headers, 'retry-after-ms');
  const value = field(headers, 'retry-after');
  const found = [numberOf(precise), numberOf(value) * 1_000, dateOf(value) - Date.now()].find(Number.isFinite);
  return found === undefined ? undefined : Math.max(0, found);
}

function numberOf(value: unknown): number {
  return typeof value === 'string' && seconds.test(value) ? Number(value) : Number.NaN;
}

function dateOf(value: unknown): number {
  return typeof value === 'string' && fixdate.test(value) ? Date.parse(value) : Number.NaN;
}

/** The AI SDK says it of servers that do not listen, names that are not known, and lines that are cut. */
function adviceWithoutStatus(message: string): string {
  return /^Cannot connect to API\b/.test(message)
    ? 'can not be reached; check that its server runs, and the address'
    : 'can not be used';
}

function adviceFor(status: number): string {
  const code = `(HTTP ${status})`;
  if (status < 300) return `answered something unusable ${code}`;
  if (status === 401 || status === 403) return `refused the credentials ${code}; check the API key and what it may do`;
  if (status === 404) return `does not exist there ${code}; check the model's name and the address`;
  if (status === 413) return `takes less in one request ${code}; lower the batch size`;
  if (status === 429) return `is limiting requests ${code}; wait and try again, or lower the concurrency`;
  if (status >= 500) return `failed ${code}; try again later`;
  return `refused the request ${code}`;
}

function excerpt(message: string): string {
  const masked = secrets.reduce((text, secret) => text.replace(secret, '[hidden]'), message.slice(0, 2_000));
  const line = masked.replace(/\s+/g, ' ').trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
}

/** The AI SDK wraps what it has retried; the last attempt says what is wrong. */
function lastOf(error: unknown): unknown {
  return field(error, 'lastError') ?? error;
}

/** A property of a value of any kind; undefined where it has none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
