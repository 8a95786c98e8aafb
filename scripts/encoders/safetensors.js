import { layerParts } from './bert-graph.js';

/** Tensors of a safetensors file: the length of a JSON header, the header, the numbers. */
export function readSafetensors(bytes) {
  const headerLength = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerLength));
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (name === '__metadata__' || dtype !== 'F32') continue;
    const [from, to] = offsets.map((offset) => 8 + headerLength + offset);
    // Copied, since numbers must begin at a multiple of four.
    tensors[name] = { data: new Float32Array(new Uint8Array(bytes.subarray(from, to)).buffer), dims: shape };
  }
  return tensors;
}

/** The weights of a BERT checkpoint under the names of `bertGraph`. */
export function bertWeights(tensors, layers) {
  const named = Object.fromEntries(Object.entries(tensors).map(([name, each]) => [name.replace(/^bert\./, ''), each]));
  const weights = {
    word: named['embeddings.word_embeddings.weight'],
    position: named['embeddings.position_embeddings.weight'],
    type: named['embeddings.token_type_embeddings.weight'],
    'norm.weight': named['embeddings.LayerNorm.weight'],
    'norm.bias': named['embeddings.LayerNorm.bias'],
  };
  for (let layer = 0; layer < layers; layer++)
    for (const [own, theirs] of Object.entries(layerParts))
      for (const part of ['weight', 'bias'])
        weights[`${layer}.${own}.${part}`] = named[`encoder.layer.${layer}.${theirs}.${part}`];
  return weights;
}
