import type { Chunk, Fingerprint, Store } from './ports.js';

/** A vector for the place beside. */
export interface BesideVector {
  /** Of the chunk. */
  readonly id: string;
  /** The `indexText` that was embedded: where the chunk has become another meanwhile, the vector is left out. */
  readonly text: string;
  readonly vector: Float32Array;
  /** As in `DocumentRecord`. */
  readonly key: string;
}

/**
 * A place in an index for the vectors of another embedder, which are made there while those of the index go on answering,
 * and then take their place. It lasts; no vector of it is ever searched before that.
 */
export interface VectorsBeside {
  /** Whose vectors lie there, and how many; `undefined` where there is no such place. */
  info(): Promise<{ readonly fingerprint: Fingerprint; readonly vectors: number } | undefined>;
  /** Makes the place or goes on with it; what lies there of another embedder is removed. */
  begin(fingerprint: Fingerprint): Promise<void>;
  /**
   * Chunks behind the place `after` that have no vector there yet, some megabytes of text at most, and the place of the
   * last one. Empty at the end; begin at 0 again for what was added meanwhile.
   */
  missing(after: number): Promise<{ readonly chunks: readonly Chunk[]; readonly last: number }>;
  /** The vectors that lie there under these keys; keys that are not there are left out. */
  find(keys: readonly string[]): Promise<Map<string, Float32Array>>;
  /** @throws SurmiseError `index_busy` where the place is for another embedder by now */
  put(fingerprint: Fingerprint, vectors: readonly BesideVector[]): Promise<void>;
  /**
   * Puts them in the place of the vectors of the index, all at once, unless a chunk is without one that is not in
   * `without`: then nothing is changed, and the answer is false.
   *
   * @throws SurmiseError `index_busy` where the place is for another embedder by now
   */
  swap(fingerprint: Fingerprint, without: ReadonlySet<string>): Promise<boolean>;
  /** Removes the place. */
  drop(): Promise<void>;
}

/** A store that has such a place. */
export interface StoreWithBeside extends Store {
  readonly beside?: VectorsBeside;
}
