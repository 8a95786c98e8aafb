import { type Block, type ChunkOptions, chunkerVersion } from './chunk.js';
import { digester } from './digest.js';
import { fingerprintKey } from './embed.js';
import { SurmiseError } from './errors.js';
import type { Document, Embedder } from './ports.js';
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
  /** `undefined` when it turns out that there is nothing to index; the index then keeps what it has under the id. */
  read(): Promise<IndexInput | undefined>;
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
  const { id, text, title, path, language, metadata, collection } = document;
  return digest(toJson([settingsKey(settings), [title, path, language, metadata, collection], blocks, text], id));
}

/** The same for a document that is not read yet. */
export function hashOfSource({ id, identity }: IndexSource, settings: IndexSettings): string {
  return digest(toJson([settingsKey(settings), id, identity], id));
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

function toJson(value: unknown, id: string): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new SurmiseError('bad_data', `The metadata of document "${id}" can not be written as JSON.`, { cause });
  }
}

const maxIdentity = 1_000;

/** @throws SurmiseError `bad_data` */
export function checkInput(input: IndexInput): void {
  const { document, blocks } = input ?? {};
  checkDocument(document);
  checkBlocks(document, blocks);
}

/** @throws SurmiseError `bad_data` */
export function checkSource({ id, identity, read }: IndexSource): void {
  checkId(id);
  if (typeof identity !== 'string' || identity === '' || identity.length > maxIdentity || typeof read !== 'function')
    throw new SurmiseError('bad_data', `The source of document "${id}" needs an "identity" and a function "read".`);
}

/** @throws SurmiseError `bad_data` for another document than the source promised */
export async function readSource(source: IndexSource): Promise<IndexInput | undefined> {
  const input = await source.read();
  if (input === undefined) return undefined;
  checkInput(input);
  if (input.document.id !== source.id)
    throw new SurmiseError('bad_data', `The source of document "${source.id}" gave document "${input.document.id}".`);
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
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new SurmiseError('bad_data', `The metadata of document "${id}" must be an object.`);
  for (const name of ['title', 'path', 'language', 'collection'] as const)
    if (others[name] !== undefined && typeof others[name] !== 'string')
      throw new SurmiseError('bad_data', `The ${name} of document "${id}" must be a string.`);
}

function checkBlocks({ id, text }: Document, blocks: readonly Block[] = []): void {
  if (!Array.isArray(blocks)) throw new SurmiseError('bad_data', `The blocks of document "${id}" must be a list.`);
  let last = 0;
  for (const { start, end } of blocks as readonly Block[]) {
    if (!(Number.isInteger(start) && Number.isInteger(end) && last <= start && start <= end && end <= text.length))
      throw new SurmiseError(
        'bad_data',
        `The blocks of document "${id}" must be in order, not overlap and lie in its text; [${start}, ${end}) does not.`,
      );
    last = end;
  }
}
