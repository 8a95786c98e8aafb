export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What the user has: a file, a page, a fact. Offsets of chunks count UTF-16 units of `text`. */
export interface Document {
  /** Unique in an index and stable between runs; files use their absolute path with forward slashes, in NFC. */
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  /** Where the document can be opened; `id` where it is not given. */
  readonly path?: string;
  /** ISO 639-1 code; detected from the text where it is not given. */
  readonly language?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  /** Which source of the index it belongs to, for filters. */
  readonly collection?: string;
}

/** A part of a document: `text.slice(start, end)` is the chunk. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Titles of the enclosing sections, outermost first. */
  readonly heading?: readonly string[];
  /**
   * What is indexed in front of the chunk although it stands elsewhere in the text: the header rows of the table that
   * the chunk continues. Not part of its offsets.
   */
  readonly header?: string;
}

/** A chunk as the store hands it out. */
export interface Chunk extends Span {
  /** `<document>#<ordinal>`, the ordinal counting from 0. */
  readonly id: string;
  readonly document: string;
  readonly path: string;
  readonly title: string;
  readonly heading: readonly string[];
  readonly text: string;
  readonly vector?: Float32Array;
}

/** A document on its way into a store, cut and embedded. */
export interface DocumentRecord {
  readonly document: Document;
  /** Identity of everything that was indexed (text, title, metadata, chunking); equal hash, nothing to do. */
  readonly hash: string;
  readonly chunks: readonly (Span & {
    readonly vector?: Float32Array;
    /** Identity of the text and the embedder that the vector is of, in hex digits, two for each byte. */
    readonly key?: string;
  })[];
}
