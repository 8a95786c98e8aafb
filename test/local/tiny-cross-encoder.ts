import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTinyEncoder } from './tiny-encoder.js';

interface Graph {
  constant(name: string, type: 'float' | 'int64', data: Float32Array | BigInt64Array, dims: readonly number[]): string;
  op(type: string, inputs: readonly string[], attributes?: Readonly<Record<string, unknown>>, output?: string): string;
}
interface OnnxWriter {
  onnxGraph(): Graph;
  writeOnnx(path: string, graph: Graph, inputs: readonly unknown[], outputs: readonly unknown[]): Promise<void>;
}

const vocabulary = 13;
const marks = 4;
const positions = 32;

/**
 * Writes a cross-encoder whose logit is Σ over words of (times in the question · times in the text) − 1, by the tokens
 * of the tiny encoder; marks and unknown words do not count. With `labels` above 1 the logit stands that often.
 */
export async function writeTinyCrossEncoder(folder: string, labels = 1): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeTinyEncoder(folder);
  const path = new URL('../../scripts/encoders/onnx-file.js', import.meta.url).href;
  const { onnxGraph, writeOnnx } = (await import(path)) as OnnxWriter;
  const graph = onnxGraph();
  const { op } = graph;
  const identity = new Float32Array(vocabulary * vocabulary);
  for (let word = marks; word < vocabulary; word++) identity[word * vocabulary + word] = 1;
  const words = op('Gather', [graph.constant('words', 'float', identity, [vocabulary, vocabulary]), 'input_ids']);
  const last = graph.constant('last', 'int64', BigInt64Array.of(-1n), [1]);
  const along = graph.constant('along', 'int64', BigInt64Array.of(1n), [1]);
  const one = graph.constant('one', 'float', Float32Array.of(1), []);
  const seen = op('Cast', ['attention_mask'], { to: 1 });
  const second = op('Cast', ['token_type_ids'], { to: 1 });
  const count = (share: string) => {
    const weights = op('Unsqueeze', [op('Mul', [share, seen]), last]);
    return op('ReduceSum', [op('Mul', [words, weights]), along], { keepdims: 0 });
  };
  const shared = op('Mul', [count(op('Sub', [one, second])), count(second)]);
  const logit = op('Sub', [op('ReduceSum', [shared, along], { keepdims: 1 }), one]);
  const spread = graph.constant('spread', 'float', new Float32Array(labels), [1, labels]);
  op('Add', [logit, spread], {}, 'logits');
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
    name,
    type: 'int64',
    dims: ['texts', 'tokens'],
  }));
  await writeOnnx(join(folder, 'onnx', 'model.onnx'), graph, inputs, [
    { name: 'logits', type: 'float', dims: ['texts', labels] },
  ]);
  const config = { model_type: 'bert', max_position_embeddings: positions, type_vocab_size: 2 };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const file = join(folder, 'tokenizer.json');
  const tokenizer = JSON.parse(await readFile(file, 'utf8')) as { post_processor: { pair: unknown } };
  const mark = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  tokenizer.post_processor.pair = [
    mark('[CLS]', 0),
    sequence('A', 0),
    mark('[SEP]', 0),
    sequence('B', 1),
    mark('[SEP]', 1),
  ];
  await writeFile(file, JSON.stringify(tokenizer));
}
