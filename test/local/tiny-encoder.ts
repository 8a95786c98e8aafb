import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Matrix {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
interface GraphWriter {
  bertGraph(weights: Readonly<Record<string, Matrix>>, config: Readonly<Record<string, unknown>>): unknown;
}
interface OnnxWriter {
  writeOnnx(path: string, graph: unknown, inputs: readonly unknown[], outputs: readonly unknown[]): Promise<void>;
}

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'ferry', 'island', 'rose', 'frost', 'noon', '##s', 'e', '##a', 'a'];
const hidden = 8;
const positions = 32;

/** Writes a BERT of one layer and eight dimensions with arbitrary weights; enough to run, no sense in it. */
export async function writeTinyEncoder(folder: string, file = 'model.onnx', seed = 1): Promise<void> {
  const at = (name: string) => new URL(`../../scripts/encoders/${name}`, import.meta.url).href;
  const { bertGraph } = (await import(at('bert-graph.js'))) as GraphWriter;
  const { writeOnnx } = (await import(at('onnx-file.js'))) as OnnxWriter;
  let state = seed;
  const tensor = (...dims: number[]): Matrix => {
    const data = new Float32Array(dims.reduce((product, each) => product * each, 1));
    for (let i = 0; i < data.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      data[i] = state / 2 ** 32 - 0.5;
    }
    return { data, dims };
  };
  const weights: Record<string, Matrix> = {
    word: tensor(words.length, hidden),
    position: tensor(positions, hidden),
    type: tensor(2, hidden),
    'norm.weight': tensor(hidden),
    'norm.bias': tensor(hidden),
  };
  for (const part of ['query', 'key', 'value', 'attention', 'inner', 'output']) {
    weights[`0.${part}.weight`] = tensor(hidden, hidden);
    weights[`0.${part}.bias`] = tensor(hidden);
  }
  for (const part of ['attention', 'output'])
    for (const side of ['weight', 'bias']) weights[`0.${part}.norm.${side}`] = tensor(hidden);

  const config = {
    model_type: 'bert',
    num_hidden_layers: 1,
    hidden_size: hidden,
    num_attention_heads: 2,
    max_position_embeddings: positions,
    layer_norm_eps: 1e-12,
  };
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
    name,
    type: 'int64',
    dims: ['texts', 'tokens'],
  }));
  const output = { name: 'last_hidden_state', type: 'float', dims: ['texts', 'tokens', hidden] };
  await writeOnnx(join(folder, 'onnx', file), bertGraph(weights, config), inputs, [output]);
  const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await json('config.json', config);
  await json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512 });
  await json('tokenizer.json', tokenizer());
}

function tokenizer(): unknown {
  const mark = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const special = (content: string, id: number) => ({ id, content, special: true, normalized: false });
  return {
    version: '1.0',
    added_tokens: words.slice(0, 4).map(special),
    normalizer: { type: 'BertNormalizer', lowercase: true, clean_text: true, handle_chinese_chars: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, mark('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [words.indexOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
}
