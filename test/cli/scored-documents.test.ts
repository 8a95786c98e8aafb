import { expect, test } from 'vitest';
import { scoredDocuments } from '../../src/cli/scored-documents.js';
import { createSurmise, type Embedder } from '../../src/core/index.js';
import { runArm } from '../../src/evaluate/index.js';
import { openSqliteStore } from '../../src/storage/index.js';

/** Embeds documents, and questions only where they do not ask for the failure. */
const embedder: Embedder = {
  fingerprint: { provider: 'test', model: 'two', dimensions: 2, normalised: true },
  limits: { batch: 10 },
  async embed(texts) {
    if (texts.some((text) => text.includes('fail'))) throw new Error('out of order');
    return texts.map(() => Float32Array.of(0, 1));
  },
};

test('an answer without its dense leg is not measured as if it were whole', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  const surmise = createSurmise({ store, embedder });
  await surmise.index([{ document: { id: 'd1', text: 'The canoe is red.' } }]);
  const ask = async (_: string, text: string) => scoredDocuments(await surmise.search(text, { mode: 'hybrid' }));
  const run = await runArm(ask, [{ id: 'q1', text: 'canoe' }], { own: new Set() });
  expect(run.get('q1')).toEqual([{ id: 'd1', score: expect.any(Number) }]);
  const failing = runArm(ask, [{ id: 'q2', text: 'canoe fail' }], { own: new Set() });
  await expect(failing).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringMatching(/^Query 'q2': dense did not take part in the search: .*out of order/),
  });
  await store.close();
});
