import { checkCollectionName } from '../core/collection-name.js';
import { throwIfAborted } from '../core/deadline.js';
import { isSurmiseError, messageOf, reasonOf, SurmiseError } from '../core/errors.js';
import { checkDocument, type IndexInput } from '../core/index-input.js';
import type { Document } from '../core/ports.js';
import { byteLines } from './byte-lines.js';
import { isDeep, isRecord } from './json.js';

export interface DocumentLinesOptions {
  /** What the lines come from, for messages. Default `standard input`. */
  readonly name?: string;
  /** Bytes of a line at most. Default 10,000,000. */
  readonly maxLineBytes?: number;
  /** Also ends the waiting for bytes that do not come. */
  readonly signal?: AbortSignal;
}

/** Lists and objects of metadata within each other. */
const maxDepth = 100;
const known = ['id', '_id', 'text', 'title', 'path', 'language', 'metadata', 'collection'];

/**
 * Documents from UTF-8 bytes with one JSON object a line: `{"id", "text"}` and, as wanted, `title`, `path`, `language`,
 * `metadata` (an object) and `collection`; `null` stands for nothing, `_id` for `id`, and an id may be a whole number. Blank
 * lines, line ends of Windows, byte order marks and a last line without an end are accepted. One line is held at a time.
 * Throws `bad_data`, naming the line and what is wrong with it; `unreadable` when the source fails; `aborted`.
 */
export async function* documentsFromLines(
  source: AsyncIterable<Uint8Array | string>,
  options: DocumentLinesOptions = {},
): AsyncGenerator<IndexInput> {
  const { name = 'standard input', maxLineBytes = 10_000_000, signal } = options;
  let line = 0;
  const bad = (expected: string, cause?: unknown) =>
    new SurmiseError('bad_data', `${name}, line ${line}: ${expected}`, { cause });
  // Drops a byte order mark from each line: files that were joined have some in the middle.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of byteLines(source, maxLineBytes, signal)) {
      line++;
      if (bytes === undefined)
        throw bad(`expected at most ${maxLineBytes} bytes. A document is one line; split what is longer.`);
      let text: string;
      try {
        text = decoder.decode(bytes);
      } catch (error) {
        throw bad('expected UTF-8, but there are other bytes in it. Convert the input first.', error);
      }
      if (text.trim() === '') continue;
      yield { document: documentOf(text, bad) };
    }
  } catch (error) {
    throwIfAborted(signal);
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError('unreadable', `${name} can not be read: ${reasonOf(error)}.`, { cause: error });
  }
}

function documentOf(text: string, bad: (expected: string, cause?: unknown) => SurmiseError): Document {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(`expected one JSON object a line (${reasonOf(error)}).`, error);
  }
  if (!isRecord(value)) throw bad('expected a JSON object like {"id": "…", "text": "…"}.');
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw bad(`unknown field ${JSON.stringify(unknown)}. Known: ${known.join(', ')}; others belong into "metadata".`);
  const given = value.id ?? value._id;
  // Beyond the safe integers, two numbers of the text may become one.
  const id = Number.isSafeInteger(given) ? String(given) : given;
  const fields = Object.entries({ ...value, id }).filter(([name, field]) => name !== '_id' && field !== null);
  const document: unknown = Object.fromEntries(fields);
  try {
    checkDocument(document);
    if (document.collection !== undefined) checkCollectionName(document.collection);
  } catch (error) {
    throw bad(messageOf(error), error);
  }
  const { language, metadata } = document;
  if (language !== undefined && !isLanguage(language))
    throw bad(`expected a language code such as "en" or "pt-BR", not ${JSON.stringify(language).slice(0, 100)}.`);
  if (isDeep(metadata, maxDepth))
    throw bad(`expected metadata of at most ${maxDepth} lists and objects in each other.`);
  return document;
}

function isLanguage(code: string): boolean {
  const tag = code.replaceAll('_', '-');
  try {
    return /^[a-z]{2,3}(?:-|$)/i.test(tag) && new Intl.Locale(tag) !== undefined;
  } catch {
    return false;
  }
}
