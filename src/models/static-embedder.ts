import { throwIfAborted } from '../core/deadline.js';
import type { Embedder } from '../core/ports.js';
import { takeTurns } from '../core/take-turns.js';
import { fnv1a, hex32 } from './fnv1a.js';
import { pieceWriter } from './piece-rows.js';
import { rowSum } from './row-sum.js';
import { readStaticTable } from './static-table.js';
import { wordPieces } from './word-pieces.js';

export interface StaticEmbedderOptions {
  /**
   * `surmise/row-sum.wasm` as a `WebAssembly.Module`. For speed where a program may not compile WebAssembly at run time
   * (Cloudflare Workers: `import kernel from 'surmise/row-sum.wasm'`); vectors are the same without it.
   */
  readonly kernel?: object;
}

/** UTF-16 units of a text that are read; one this long takes a few hundredths of a second, up to two where every word is new. */
const maxCharacters = 1_000_000;
const batch = 256;
/** Milliseconds of work after which other tasks (and an abort) get their turn. */
const sliceMs = 20;
/** Part of the model's identity: changes whenever vectors would, in their last bits as well. */
const revision = 2;

/**
 * A sentence encoder without a model to run: the sum of the vectors of a text's word pieces in float32 (each product and
 * each sum rounded, in the order of the text), brought to length 1 in float64, as Float32Array. The same bits on every
 * platform. English only. Questions and passages are embedded alike. A text without any word piece gives the zero
 * vector; of a text over 1,000,000 characters the rest is left out, but its tokens are counted.
 *
 * @param bytes a table as `readStaticTable` describes it; it must not change afterwards
 * @throws SurmiseError `bad_data` for bytes that are not a whole table, `bad_argument` for a kernel that is none; `embed`
 *   only `aborted`
 */
export function staticEmbedder(bytes: Uint8Array, { kernel }: StaticEmbedderOptions = {}): Embedder {
  const table = readStaticTable(bytes);
  const { dimensions, unknown, vocabulary } = table;
  const writePieces = pieceWriter(wordPieces(vocabulary, unknown));
  const { rows, sum, add } = rowSum(table, kernel);

  const encode = (text: string): Float32Array => {
    sum.fill(0);
    writePieces(text.length > maxCharacters ? text.slice(0, maxCharacters) : text, rows, add);
    let squares = 0;
    for (let i = 0; i < dimensions; i++) squares += sum[i]! * sum[i]!;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    const vector = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) vector[i] = sum[i]! * factor;
    return vector;
  };

  const countTokens = (text: string): number => {
    let pieces = 0;
    writePieces(text, rows, (count) => {
      pieces += count;
    });
    return pieces;
  };

  return {
    fingerprint: {
      provider: 'static',
      model: `static-${dimensions}-${hex32(fnv1a(bytes, revision))}`,
      dimensions,
      normalised: true,
    },
    limits: { batch, characters: maxCharacters },
    countTokens,
    async embed(texts, { signal }) {
      const vectors: Float32Array[] = [];
      const giveTurn = takeTurns(sliceMs);
      for (const text of texts) {
        throwIfAborted(signal);
        vectors.push(encode(text));
        await giveTurn();
      }
      throwIfAborted(signal);
      return vectors;
    },
  };
}
