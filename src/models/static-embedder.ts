import { throwIfAborted } from '../core/deadline.js';
import type { Embedder } from '../core/ports.js';
import { fnv1a, hex32 } from './fnv1a.js';
import { readStaticTable } from './static-table.js';
import { wordPieceTokenizer } from './word-pieces.js';

/** UTF-16 units of a text that are read; one this long takes a tenth of a second, up to two where every word is new. */
const maxCharacters = 1_000_000;
const batch = 256;
/** Milliseconds of work after which other tasks (and an abort) get their turn. */
const sliceMs = 20;

/**
 * A sentence encoder without a model to run: the sum of the vectors of a text's word pieces, brought to length 1, as
 * Float32Array. English only. Questions and passages are embedded alike. A text without any word piece gives the zero
 * vector; of a text over 1,000,000 characters the rest is left out.
 *
 * @param bytes a table as `readStaticTable` describes it; it must not change afterwards
 * @throws SurmiseError `bad_data` for bytes that are not a whole table; `embed` only `aborted`
 */
export function staticEmbedder(bytes: Uint8Array): Embedder {
  const { dimensions, unknown, scales, values, vocabulary } = readStaticTable(bytes);
  const tokenize = wordPieceTokenizer(vocabulary, unknown);

  const encode = (text: string): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const row of tokenize(text.length > maxCharacters ? text.slice(0, maxCharacters) : text)) {
      const scale = scales[row]!;
      const offset = row * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += scale * values[offset + i]!;
    }
    let squares = 0;
    for (let i = 0; i < dimensions; i++) squares += sum[i]! * sum[i]!;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < dimensions; i++) sum[i]! *= factor;
    return sum;
  };

  return {
    fingerprint: {
      provider: 'static',
      model: `static-${dimensions}-${hex32(fnv1a(bytes))}`,
      dimensions,
      normalised: true,
    },
    limits: { batch, characters: maxCharacters },
    async embed(texts, { signal }) {
      const vectors: Float32Array[] = [];
      let turn = performance.now();
      for (const text of texts) {
        throwIfAborted(signal);
        vectors.push(encode(text));
        if (performance.now() - turn < sliceMs) continue;
        await new Promise((resolve) => setTimeout(resolve, 0));
        turn = performance.now();
      }
      throwIfAborted(signal);
      return vectors;
    },
  };
}
