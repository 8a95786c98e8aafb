import { type Block, type ChunkOptions, chunkerVersion } from './chunk.js';
import { untilAbort } from './deadline.js';
import { digester } from './digest.js';
import { isSurmiseError, reasonOf, SurmiseError } from './errors.js';
import { fingerprintKey } from './fingerprint.js';
import type { CallOptions, Document, Embedder, Json } from './ports.js';
import { isWellFormed } from './well-formed.js';

/** A document to be indexed, with the structure that its reader found. */
export interface IndexInput {
  readonly document: Document;
  readonly blocks?: readonly Block[];
}

/** A document that is read only when what it is made from has changed since it was indexed. */
export interface IndexSource {
  /** The id that the document has. */
  readonly id: string;
  /**
   * Stands for everything that the document and its blocks are made from (bytes, path, version of the reader): equal
   * identity, equal document. At most 1,000 characters.
   */
  readonly identity: string;
  /**
   * `undefined` when it turns out that there is nothing to index; the index then keeps what it has under the id. It is
   * not waited for any more when the signal fires.
   */
  read(options: CallOptions): Promise<IndexInput | undefined>;
}

/** How documents are cut; see `ChunkOptions`. */
export type IndexChunking = Pick<ChunkOptions, 'by' | 'size' | 'overlap'>;

/** What else the rows of a document depend on. */
export interface IndexSettings {
  readonly chunking: IndexChunking;
  readonly embedder: Embedder | undefined;
}

const digest = digester();

/** Identity of what is indexed of a document: equal hash, equal rows. */
export function hashOfInput({ document, blocks }: IndexInput, settings: IndexSettings): string {
  const { text, title, path, language, metadata, collection } = document;
  return digest(JSON.stringify([settingsKey(settings), [title, path, language, metadata, collection], blocks, text]));
}

/** The same for a document that is not read yet. */
export function hashOfSource({ id, identity }: IndexSource, settings: IndexSettings): string {
  return digest(JSON.stringify([settingsKey(settings), id, identity]));
}

function settingsKey({ chunking, embedder }: IndexSettings): unknown {
  const { by, size, overlap } = chunking;
  return [
    chunkerVersion,
    by,
    size,
    overlap,
    embedder && [fingerprintKey(embedder.fingerprint), embedder.limits.tokens],
  ];
}

const maxIdentity = 1_000;

/**
 * A copy of an input that is one: whoever gave it may use the object again while it is cut, embedded and written. The
 * metadata are what JSON makes of them.
 *
 * @throws SurmiseError `bad_data`
 */
export function takeInput(input: IndexInput): IndexInput {
  const { document: given, blocks } = input ?? {};
  checkDocument(given);
  const { id, text, title, path, language, metadata, collection } = given;
  const document: Document = {
    id,
    text,
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
    ...(language !== undefined && { language }),
    ...(metadata !== undefined && { metadata: jsonObject(metadata, id) }),
    ...(collection !== undefined && { collection }),
  };
  return { document, ...(blocks !== undefined && { blocks: takeBlocks(document, blocks) }) };
}

/** A copy of a source that is one. @throws SurmiseError `bad_data` */
export function takeSource(source: IndexSource): IndexSource {
  const { id, identity } = source;
  checkId(id);
  if (
    typeof identity !== 'string' ||
    identity === '' ||
    identity.length > maxIdentity ||
    typeof source.read !== 'function'
  )
    throw new SurmiseError('bad_data', `The source of document "${id}" needs an "identity" and a function "read".`);
  return { id, identity, read: (options) => source.read(options) };
}

/**
 * @throws SurmiseError `unreadable` that names the document and has what `read` threw as its cause, `bad_data` for
 *   another document than the source promised, `aborted`; those of `read` pass
 */
export async function readSource(
  { id, read }: IndexSource,
  signal: AbortSignal | undefined,
): Promise<IndexInput | undefined> {
  let given: IndexInput | undefined;
  try {
    // A `read` that is not asynchronous throws inside of it.
    const reading = (async () => read(signal === undefined ? {} : { signal }))();
    given = await untilAbort(reading, signal);
  } catch (error) {
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError('unreadable', `Document "${id}" can not be read: ${reasonOf(error)}`, { cause: error });
  }
  if (given === undefined) return undefined;
  const input = takeInput(given);
  if (input.document.id !== id)
    throw new SurmiseError('bad_data', `The source of document "${id}" gave document "${input.document.id}".`);
  return input;
}

function checkId(id: unknown): void {
  if (typeof id !== 'string' || id === '' || !isWellFormed(id))
    throw new SurmiseError('bad_data', 'A document needs an "id" that is a non-empty string of valid Unicode.');
}

/** @throws SurmiseError `bad_data` */
export function checkDocument(document: unknown): asserts document is Document {
  if (typeof document !== 'object' || document === null)
    throw new SurmiseError('bad_data', 'An input needs a "document" with an "id" and a "text".');
  const { id, text, metadata = {}, ...others }: { readonly [Name in keyof Document]?: unknown } = document;
  checkId(id);
  if (typeof text !== 'string') throw new SurmiseError('bad_data', `Document "${id}" needs a "text" that is a string.`);
  if (!isObject(metadata)) throw new SurmiseError('bad_data', `The metadata of document "${id}" must be an object.`);
  for (const name of ['title', 'path', 'language', 'collection'] as const)
    if (others[name] !== undefined && typeof others[name] !== 'string')
      throw new SurmiseError('bad_data', `The ${name} of document "${id}" must be a string.`);
}

function jsonObject(metadata: object, id: string): Readonly<Record<string, Json>> {
  let value: unknown;
  try {
    value = JSON.parse(JSON.stringify(metadata));
  } catch (cause) {
    throw new SurmiseError('bad_data', `The metadata of document "${id}" can not be written as JSON.`, { cause });
  }
  // A Map or a Set would be an object without anything in it.
  if (isObject(value) && !(Symbol.iterator in metadata)) return value as Readonly<Record<string, Json>>;
  throw new SurmiseError('bad_data', `The metadata of document "${id}" must be a JSON object with its fields.`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function takeBlocks({ id, text }: Document, blocks: readonly Block[]): Block[] {
  const wrong = (what: string) => new SurmiseError('bad_data', `The blocks of document "${id}" ${what}.`);
  if (!Array.isArray(blocks)) throw wrong('must be a list');
  let last = 0;
  let path: { readonly given: readonly string[]; readonly taken: readonly string[] } | undefined;
  // A hole in the list is a block as well, and none that passes.
  return Array.from(blocks as readonly Block[], (given) => {
    const { start, end, heading, header, kind } = given ?? {};
    if (!(Number.isInteger(start) && Number.isInteger(end) && last <= start && start <= end && end <= text.length))
      throw wrong(`must be in order, not overlap and lie in its text; [${start}, ${end}) does not`);
    if (heading !== undefined && !(Array.isArray(heading) && heading.every((part) => typeof part === 'string')))
      throw wrong(`must have a list of strings for a "heading"; that of [${start}, ${end}) is none`);
    if (header !== undefined && typeof header !== 'string')
      throw wrong(`must have a string for a "header"; that of [${start}, ${end}) is none`);
    if (kind !== undefined && typeof kind !== 'string')
      throw wrong(`must have a string for a "kind"; that of [${start}, ${end}) is none`);
    last = end;
    // Blocks of one section have one path, of which one copy is enough.
    if (heading !== undefined && path?.given !== heading) path = { given: heading, taken: [...heading] };
    return {
      start,
      end,
      ...(heading !== undefined && { heading: path!.taken }),
      ...(header !== undefined && { header }),
      ...(kind !== undefined && { kind }),
    };
  });
}
