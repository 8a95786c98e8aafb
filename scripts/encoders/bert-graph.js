import { onnxGraph } from './onnx-file.js';

/**
 * The BERT encoder (Devlin et al. 2019) as an ONNX graph from token numbers to the token vectors of the last layer.
 *
 * @param weights by name, each `{ data: Float32Array, dims }`, rows of a linear layer being its outputs: `word`,
 *   `position`, `type`, `norm.weight`, `norm.bias`, and for each layer `0.query.weight` …, see `layerParts`
 * @param config the fields of BERT's config.json
 */
export function bertGraph(weights, config) {
  const { num_hidden_layers: layers, hidden_size: hidden, num_attention_heads: heads } = config;
  const graph = onnxGraph();
  const { op } = graph;
  const weight = (name) => graph.constant(name, 'float', weights[name].data, weights[name].dims);
  const scalar = (name, value) => graph.constant(name, 'float', Float32Array.of(value), []);
  const whole = (name, ...values) => graph.constant(name, 'int64', BigInt64Array.from(values, BigInt), [values.length]);

  const one = scalar('one', 1);
  const half = scalar('half', 0.5);
  const rootOfTwo = scalar('root_of_two', Math.SQRT2);
  const scale = scalar('scale', 1 / Math.sqrt(hidden / heads));
  const split = whole('split', 0, 0, heads, hidden / heads);
  const joined = whole('joined', 0, 0, hidden);

  const norm = (x, name) =>
    op('LayerNormalization', [x, weight(`${name}.weight`), weight(`${name}.bias`)], {
      axis: -1,
      epsilon: config.layer_norm_eps,
    });
  const linear = (x, name) => {
    const { data, dims } = weights[`${name}.weight`];
    const turned = graph.constant(`${name}.weight`, 'float', transposed(data, dims), [dims[1], dims[0]]);
    return op('Add', [op('MatMul', [x, turned]), weight(`${name}.bias`)]);
  };
  const gelu = (x) => {
    const tail = op('Add', [op('Erf', [op('Div', [x, rootOfTwo])]), one]);
    return op('Mul', [op('Mul', [x, tail]), half]);
  };

  const start = whole('start', 0);
  const next = whole('next', 1);
  const width = op('Slice', [op('Shape', ['input_ids']), next, whole('end', 2)]);
  const positions = op('Unsqueeze', [op('Slice', [weight('position'), start, width, start]), start]);
  const words = op('Gather', [weight('word'), 'input_ids']);
  const types = op('Gather', [weight('type'), 'token_type_ids']);
  let x = norm(op('Add', [op('Add', [words, types]), positions]), 'norm');

  // Padding gets a share of attention that is 0 in float32.
  const mask = op('Unsqueeze', [op('Cast', ['attention_mask'], { to: 1 }), whole('mask_axes', 1, 2)]);
  const bias = op('Mul', [op('Sub', [one, mask]), scalar('hidden_score', -10_000)]);
  for (let layer = 0; layer < layers; layer++) {
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      op('Reshape', [linear(x, `${layer}.${part}`), split]),
    );
    const by = (parts, perm) => op('Transpose', [parts], { perm });
    const scores = op('Mul', [op('MatMul', [by(query, [0, 2, 1, 3]), by(key, [0, 2, 3, 1])]), scale]);
    const shares = op('Softmax', [op('Add', [scores, bias])], { axis: -1 });
    const mixed = by(op('MatMul', [shares, by(value, [0, 2, 1, 3])]), [0, 2, 1, 3]);
    const attended = linear(op('Reshape', [mixed, joined]), `${layer}.attention`);
    x = norm(op('Add', [attended, x]), `${layer}.attention.norm`);
    const inner = gelu(linear(x, `${layer}.inner`));
    x = norm(op('Add', [linear(inner, `${layer}.output`), x]), `${layer}.output.norm`);
  }
  op('Identity', [x], {}, 'last_hidden_state');
  return graph;
}

/** The names of a layer's parts here, and in checkpoints of BERT. */
export const layerParts = {
  query: 'attention.self.query',
  key: 'attention.self.key',
  value: 'attention.self.value',
  attention: 'attention.output.dense',
  'attention.norm': 'attention.output.LayerNorm',
  inner: 'intermediate.dense',
  output: 'output.dense',
  'output.norm': 'output.LayerNorm',
};

function transposed(data, [rows, columns]) {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column];
  return turned;
}
