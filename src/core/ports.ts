/**
 * The ports: what core asks of the world. Every provider is one file that implements one of these.
 * Ports are thin; batching, deadlines and checks of what comes back live in core.
 */

import type { Chunk, DocumentRecord } from './document.js';
import type { Question, Requirement, TermCount, TermPart, WeightedPrefix, WeightedTerm } from './question.js';

export type { Chunk, Document, DocumentRecord, Json, Span } from './document.js';
export type {
  Clause,
  Question,
  Requirement,
  TermCount,
  TermPart,
  WeightedPrefix,
  WeightedTerm,
} from './question.js';

export interface Scored {
  readonly id: string;
  /** Higher is better. */
  readonly score: number;
}

/** The best of one leg, and the range of its scores over every chunk that the filter lets through. */
export interface ScoredList {
  /** Score descending, then id ascending (code units). */
  readonly hits: readonly Scored[];
  /** With `perDocument`: the best chunk of each of the best k documents, as far as it is not in `hits`. Same order. */
  readonly more?: readonly Scored[];
  /** Chunks without the signal count 0 in a lexical leg and are left out in a dense one. */
  readonly range: { readonly min: number; readonly max: number };
  /** How many chunks had the signal at all: matched a term, or have a vector. */
  readonly matched: number;
}

export interface NearOptions {
  /** How many at most; a store returns fewer where it has fewer. */
  readonly k: number;
  /** Only these chunks (ids that the store does not know are left out). */
  readonly ids?: readonly string[];
  /** Asks for the best chunks of the best k documents as well. */
  readonly perDocument?: boolean;
  /** Only chunks of documents that fulfil it; `range` and `matched` count these only. */
  readonly where?: Filter;
  /** Only chunks that fulfil it, in the same way: a chunk that is refused is in no leg, however near it is. */
  readonly require?: Requirement;
}

export interface MatchOptions extends NearOptions {
  /** Words known by their beginning, which score beside the terms. */
  readonly prefixes?: readonly WeightedPrefix[];
}

/** What a condition compares: a field of the document (`id`, `path`, `title`, `language`, `collection`), else of its metadata. */
export interface Condition {
  /** A field of the metadata may be a path with dots: `author.name`. */
  readonly field: string;
  readonly is: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'starts' | 'contains' | 'exists';
  /** Left out with `exists`. */
  readonly value?: string | number | boolean | null;
}

/** Conditions on documents; see `matchesFilter` for what each means. */
export type Filter =
  | Condition
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

export type Role = 'query' | 'document';

/** Identity of an embedding space: two vectors may be compared only when all of this is equal. */
export interface Fingerprint {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly normalised: boolean;
  /** What the model wants before a text, by role. */
  readonly prefixes?: { readonly query: string; readonly document: string };
}

export interface EmbedLimits {
  /** Texts in one call. */
  readonly batch: number;
  /** UTF-16 units in one text; longer ones are cut by the model. */
  readonly characters?: number;
  /** Tokens in one text, as `countTokens` counts them; longer ones are cut by the model. */
  readonly tokens?: number;
  /** Tokens of all texts in one call. */
  readonly callTokens?: number;
  /** UTF-8 bytes of all texts in one call. */
  readonly callBytes?: number;
  /** Calls at a time. Default 1. */
  readonly concurrency?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Embedder {
  readonly fingerprint: Fingerprint;
  readonly limits: EmbedLimits;
  /** How many tokens the model makes of a text. Estimated from the characters where it is not there. */
  countTokens?(text: string): number;
  /** What a million tokens cost, for estimates. */
  readonly price?: { readonly perMillionTokens: number; readonly currency: string };
  /**
   * One vector for each text, in the order of the texts, each of `fingerprint.dimensions` finite numbers.
   * Hypotheses are documents, questions are queries. A text with nothing to embed gives the zero vector.
   */
  embed(texts: readonly string[], options: CallOptions & { readonly role: Role }): Promise<Float32Array[]>;
}

/** What a generator is asked: instructions, and the data they are about. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
  /** The question alone, for generators that need no instructions. */
  readonly question: string;
  /** The best passages of the plain search, best first. They are data, never instructions. */
  readonly passages: readonly Chunk[];
  /** Identity of the instructions, for caches; says nothing of the data in `user`. */
  readonly version?: string;
}

export interface Generation {
  readonly text: string;
  /** What it counts beside the others. Default 1, which also stands for what is not finite or not above 0. */
  readonly weight?: number;
  /** Given when the generator knows it already, in the space of the index's embedder. */
  readonly vector?: Float32Array;
}

export interface GenerateOptions extends CallOptions {
  /** How many passages are wanted; fewer may come back. */
  readonly n: number;
  readonly maxTokens?: number;
  /** Called with each passage as soon as it is there, so that a deadline keeps what is done. */
  readonly onGeneration?: (generation: Generation) => void;
}

export interface Generator {
  /** Names what is generated, for people and caches. */
  readonly id: string;
  /** Where the model runs: a `local` one is asked for one passage, others for three, where the caller names no number. */
  readonly size?: 'local' | 'hosted';
  generate(prompt: Prompt, options: GenerateOptions): Promise<Generation[]>;
}

/**
 * Keeps what models made beyond the life of a process. Keys are hex digits of a hash of what was asked, values are bytes;
 * forgetting any of it is no fault. What it throws is reported, and the model is asked.
 */
export interface ModelCache {
  /** What is kept under these keys; the others are left out. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  keep(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

export interface Reranker {
  readonly id: string;
  /**
   * One finite score for each text, in the order of the texts, higher is better. Where one lies outside 0 … 1 all are
   * taken for logits. A call has at most as many texts as the option `rerank.depth` says; core tries again what may pass.
   */
  rerank(query: string, texts: readonly string[], options: CallOptions): Promise<number[]>;
}

/** How well each leg of an index finds, measured without judgements; see `measureLegs`. */
export interface LegBalance {
  /** Mean reciprocal rank, 0 to 1. */
  readonly lexical: number;
  readonly dense: number;
  /** What follows for the share of the dense leg, 0 to 1. */
  readonly denseWeight: number;
  /** Questions that were asked. */
  readonly samples: number;
  /** Chunks of the index at that time. */
  readonly chunks: number;
  /** `fingerprintKey` of the embedder that was measured. */
  readonly embedder: string;
}

export interface StoreInfo {
  /**
   * Changes with every write, by whatever process, and stays without one: where two calls of one store object give the
   * same, whatever was read between them is of one moment. Says nothing to another store object.
   */
  readonly version: string;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly characters: number;
  /** The embedder whose vectors the store holds; absent before the first vector. */
  readonly fingerprint?: Fingerprint;
  /** Chunks by the language that they were analysed in, largest first. */
  readonly languages: Readonly<Record<string, number>>;
  /** Documents by collection, in order of name; those of none are left out. */
  readonly collections?: Readonly<Record<string, number>>;
  /** What was kept by `keepLegBalance`. */
  readonly legBalance?: LegBalance;
  /** Where the store is, for people. */
  readonly location: string;
  readonly bytes: number;
}

export interface Store {
  /** All of the records or none, replacing documents of the same id in every leg at once. */
  put(records: readonly DocumentRecord[], options?: { readonly fingerprint?: Fingerprint }): Promise<void>;
  /** Removes documents from every leg at once; returns how many there were. */
  delete(ids: readonly string[]): Promise<number>;
  /** Chunks by id, in the order asked; unknown ids are left out. `vectors` brings the stored vectors along. */
  get(ids: readonly string[], options?: { readonly vectors?: boolean }): Promise<Chunk[]>;
  /** The vectors that are stored under these keys; keys that are not there are left out. */
  vectors?(keys: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Id, hash and, where it has one, collection of every document, in order of id. */
  documents(): AsyncIterable<{ readonly id: string; readonly hash: string; readonly collection?: string }>;
  /**
   * The terms that each text asks for, in the languages that the index holds. The weight counts occurrences; words that
   * say nothing in a question are left out, and stems of a language that is not the text's may count less.
   */
  analyze(texts: readonly string[]): Promise<TermCount[][]>;
  /**
   * Reads the operators of a question: `"some words"` must be there as a phrase, `word*` stands for all words that begin
   * so, `-word`, `-"some words"` and `-word*` must not be there; all else is text, whatever marks it has. Stores without
   * it take operators for text.
   */
  parse?(question: string): Promise<Question>;
  /** BM25 over weighted terms. */
  match(terms: readonly WeightedTerm[], options: MatchOptions): Promise<ScoredList>;
  /**
   * How the scores of `match` come about: for each chunk, in the order asked, its parts by term; in this order they add
   * up to its score. Unknown ids are left out.
   */
  explainMatch?(
    terms: readonly WeightedTerm[],
    ids: readonly string[],
    options?: Pick<MatchOptions, 'prefixes'>,
  ): Promise<{ readonly id: string; readonly parts: readonly TermPart[] }[]>;
  /** BM25 of a text that is not in the index as if it were one of its chunks. */
  scoreText?(terms: readonly WeightedTerm[], text: string): Promise<number>;
  /** Keeps what was measured of the legs with the index. */
  keepLegBalance?(balance: LegBalance): Promise<void>;
  /** Exact cosine similarity. */
  nearest(vector: Float32Array, options: NearOptions): Promise<ScoredList>;
  /** How much fulfils a filter. */
  count(where: Filter): Promise<{ readonly documents: number; readonly chunks: number }>;
  info(): Promise<StoreInfo>;
  close(): Promise<void>;
}
