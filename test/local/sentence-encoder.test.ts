import diagnostics from 'node:diagnostics_channel';
import { copyFile, cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { env } from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sentenceEncoder } from '../../src/local/index.js';
import { embedderContract } from '../contract/embedder.js';
import { writeTinyEncoder } from './tiny-encoder.js';

let folder: string;
let tiny: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
  tiny = join(folder, 'tiny model é');
  await writeTinyEncoder(tiny);
});
afterAll(() => rm(folder, { recursive: true }));

const copyOfTiny = async (name: string): Promise<string> => {
  const copy = join(folder, name);
  await cp(tiny, copy, { recursive: true });
  return copy;
};
const failureOf = (options: Parameters<typeof sentenceEncoder>[0]) =>
  sentenceEncoder(options).then(
    () => undefined,
    (error: unknown) => error,
  );

embedderContract('an encoder in a folder', () => sentenceEncoder({ model: tiny }), {
  skip: { 'order and batch': 'three sentences of unknown words are one to its thirteen words' },
});

describe('limits of a text', () => {
  test('tokens are counted with the marks, and cut where the model ends', async () => {
    const encoder = await sentenceEncoder({ model: tiny });
    expect(encoder.limits.tokens).toBe(32);
    expect(encoder.countTokens!('')).toBe(2);
    expect(encoder.countTokens!('ferry ferries rose')).toBe(5);
    expect(encoder.countTokens!('rose '.repeat(30_000))).toBe(30_002);
    const [whole, longer, other] = await encoder.embed(
      ['rose '.repeat(30), `${'rose '.repeat(30)}frost`, `${'rose '.repeat(29)}frost`],
      { role: 'document' },
    );
    expect(longer).toEqual(whole);
    expect(other).not.toEqual(whole);
  });

  test('a word without end is counted', async () => {
    const encoder = await sentenceEncoder({ model: tiny });
    expect(encoder.countTokens!('e'.repeat(1_000_000))).toBeGreaterThan(2);
    expect(encoder.countTokens!('島'.repeat(300_000))).toBe(300_002);
  });

  test('a smaller limit is another space; one that the model can not take is refused', async () => {
    const [short, long] = await Promise.all([
      sentenceEncoder({ model: tiny, maxTokens: 8 }),
      sentenceEncoder({ model: tiny }),
    ]);
    expect(short.limits.tokens).toBe(8);
    expect(short.fingerprint.model).not.toBe(long.fingerprint.model);
    for (const maxTokens of [33, 7, 8.5, Number.NaN])
      expect(await failureOf({ model: tiny, maxTokens })).toMatchObject({ code: 'bad_argument' });
  });
});

describe('identity', () => {
  test('other weights under the same name, another pooling and other prefixes are other spaces', async () => {
    const again = join(folder, 'again', basename(tiny));
    const other = join(folder, 'other', basename(tiny));
    await writeTinyEncoder(again);
    await writeTinyEncoder(other, 'model.onnx', 2);
    const [first, same, changed, cls, prefixed] = await Promise.all([
      sentenceEncoder({ model: tiny }),
      sentenceEncoder({ model: again }),
      sentenceEncoder({ model: other }),
      sentenceEncoder({ model: tiny, pooling: 'cls' }),
      sentenceEncoder({ model: tiny, prefixes: { query: 'rose ', document: '' } }),
    ]);
    expect(same.fingerprint).toEqual(first.fingerprint);
    const spaces = [first, changed, cls, prefixed].map(({ fingerprint }) => JSON.stringify(fingerprint));
    expect(new Set(spaces).size).toBe(4);
  });

  test('a prefix stands before texts of its role; a text of one token after it is not empty', async () => {
    const plain = await sentenceEncoder({ model: tiny });
    const prefixed = await sentenceEncoder({ model: tiny, prefixes: { query: 'rose ', document: '' } });
    const [expected] = await plain.embed(['rose e'], { role: 'query' });
    expect(await prefixed.embed(['e'], { role: 'query' })).toEqual([expected]);
    expect(await prefixed.embed(['rose e'], { role: 'document' })).toEqual([expected]);
    expect(await prefixed.embed([' '], { role: 'query' })).toEqual([new Float32Array(8)]);
  });

  test('files of sentence-transformers say limit, pooling and prompts', async () => {
    const model = await copyOfTiny('with prompts');
    await writeFile(join(model, 'sentence_bert_config.json'), '{"max_seq_length": 16}');
    await writeFile(join(model, 'config_sentence_transformers.json'), '{"prompts": {"query": "e ", "passage": "a "}}');
    const encoder = await sentenceEncoder({ model });
    expect(encoder.limits.tokens).toBe(16);
    expect(encoder.fingerprint.prefixes).toEqual({ query: 'e ', document: 'a ' });
  });

  test('the most exact weights are taken, others when they are asked for', async () => {
    const model = await copyOfTiny('two formats');
    await copyFile(join(model, 'onnx', 'model.onnx'), join(model, 'onnx', 'model_quantized.onnx'));
    expect((await sentenceEncoder({ model })).fingerprint.model).toMatch(/^two formats-fp32-/);
    expect((await sentenceEncoder({ model, dtype: 'q8' })).fingerprint.model).toMatch(/^two formats-q8-/);
    expect(await failureOf({ model, dtype: 'q4' })).toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/no weights of dtype q4\. There is: model\.onnx, model_quantized\.onnx/),
    });
  });
});

describe('what is no encoder says so', () => {
  test('nothing there, an empty folder, a file that is missing or broken', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    for (const model of [join(folder, 'nowhere'), empty])
      expect(await failureOf({ model })).toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/config\.json, tokenizer\.json and onnx\/model\.onnx/),
      });
    for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
      const model = await copyOfTiny(`without ${name}`);
      await rm(join(model, name));
      expect(await failureOf({ model })).toMatchObject({ code: 'unreadable', message: expect.stringContaining(name) });
      await writeFile(join(model, name), '[1]');
      expect(await failureOf({ model })).toMatchObject({ code: 'bad_data', message: expect.stringContaining(name) });
    }
    expect(await failureOf({ model: '' })).toMatchObject({ code: 'bad_argument' });
  });

  test('weights that are cut off', async () => {
    const model = await copyOfTiny('cut off');
    await truncate(join(model, 'onnx', 'model.onnx'), 500);
    expect(await failureOf({ model })).toMatchObject({
      code: 'provider_failed',
      message: expect.stringMatching(/does not run/),
    });
  });

  test('a tokenizer that is none', async () => {
    const model = await copyOfTiny('no tokenizer');
    await writeFile(join(model, 'tokenizer.json'), '{"model": {"type": "Unheard"}}');
    expect(await failureOf({ model })).toMatchObject({ code: 'provider_failed' });
  });
});

describe('models by name', () => {
  let server: Server;
  let asked: string[] = [];
  const host = env.remoteHost;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      asked.push(request.url!);
      const [, path] = /^\/harbour\/tiny\/resolve\/main\/(.+)$/.exec(decodeURIComponent(request.url!)) ?? [];
      const bytes = path === undefined ? undefined : await readFile(join(tiny, path)).catch(() => undefined);
      response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object') env.remoteHost = `http://127.0.0.1:${address!.port}/`;
  });
  afterAll(() => {
    env.remoteHost = host;
    server.close();
  });

  test('are fetched only when that is asked for, and then kept', async () => {
    const cache = join(folder, 'cache');
    expect(await failureOf({ model: 'harbour/tiny', cache })).toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/nothing is fetched unasked/),
    });
    expect(asked).toEqual([]);
    const fetched = await sentenceEncoder({ model: 'harbour/tiny', cache, download: true });
    expect(asked).toContain('/harbour/tiny/resolve/main/onnx/model.onnx');
    asked = [];
    const kept = await sentenceEncoder({ model: 'harbour/tiny', cache });
    expect(asked).toEqual([]);
    expect(kept.fingerprint).toEqual(fetched.fingerprint);
    const texts = ['rose', 'frost'];
    expect(await kept.embed(texts, { role: 'query' })).toEqual(
      await (await sentenceEncoder({ model: tiny })).embed(texts, { role: 'query' }),
    );
  });

  test('that the hub does not have, or that lead elsewhere', async () => {
    const cache = join(folder, 'cache');
    expect(await failureOf({ model: 'harbour/none', cache, download: true })).toMatchObject({
      code: 'provider_failed',
      message: expect.stringMatching(/harbour\/none can not be fetched/),
    });
    asked = [];
    for (const model of ['../tiny', 'a/../../b', 'a/b/c', './x'])
      expect(await failureOf({ model, cache, download: true })).toMatchObject({ code: 'unreadable' });
    expect(asked).toEqual([]);
  });

  test('a folder is read without a request to anybody', async () => {
    const requests: unknown[] = [];
    const note = (message: unknown) => requests.push(message);
    diagnostics.subscribe('undici:request:create', note);
    await fetch(`${env.remoteHost}probe`);
    expect(requests).toHaveLength(1);
    await (await sentenceEncoder({ model: tiny })).embed(['rose'], { role: 'query' });
    diagnostics.unsubscribe('undici:request:create', note);
    expect(requests).toHaveLength(1);
  });
});
