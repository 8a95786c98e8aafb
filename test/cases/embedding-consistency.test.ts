import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sentenceEncoder } from '../../src/local/index.js';
import { makeWorkspace } from '../cli/workspace.js';
import { writeTinyEncoder } from '../local/tiny-encoder.js';

const model = join(await makeWorkspace(), 'tiny');

test('FR-104 the padding of a batch is not in the mean: a text has its vector alone and among 32 longer ones', async () => {
  await writeTinyEncoder(model);
  const encoder = await sentenceEncoder({ model, pooling: 'mean' });
  const short = 'rose';
  const others = Array.from({ length: 31 }, (_, at) => 'ferry island frost noon '.repeat(1 + (at % 6)));
  const [alone] = await encoder.embed([short], { role: 'document' });
  const together = (await encoder.embed([...others, short], { role: 'document' })).at(-1)!;
  const distance = Math.hypot(...alone!.map((value, at) => value - together[at]!));
  expect(distance).toBeLessThan(1e-5);
});

test('FR-105 a vector is numbers in a row, also after it was written as JSON', async () => {
  await writeTinyEncoder(model);
  const encoder = await sentenceEncoder({ model });
  const [vector] = await encoder.embed(['frost'], { role: 'query' });
  expect(vector).toBeInstanceOf(Float32Array);
  const written = JSON.parse(JSON.stringify([...vector!])) as number[];
  expect(written).toHaveLength(encoder.fingerprint.dimensions);
  expect(Float32Array.from(written)).toEqual(vector);
});
