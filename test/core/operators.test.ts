import { expect, test } from 'vitest';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';

async function harbour() {
  const surmise = createSurmise({
    store: openSqliteStore({ path: ':memory:' }),
    embedder: deterministicEmbedder(),
    feedback: feedbackGenerator(),
  });
  await surmise.index([
    { document: { id: 'gate', text: 'The mill has an old gate, painted milky green.' } },
    { document: { id: 'mill', text: 'An old mill by the river.' } },
    { document: { id: 'miller', text: 'A miller who was old lived by the river.' } },
    { document: { id: 'tower', text: 'The tower of the town.' } },
  ]);
  return surmise;
}

const ids = (hits: readonly { readonly document: string }[]) => hits.map(({ document }) => document).sort();

test('operators hold in every leg and stage', async () => {
  const surmise = await harbour();
  for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
    const find = async (question: string) => {
      const { hits, trace, degraded } = await surmise.search(question, { mode, hyde: 'on' });
      expect(degraded).toEqual([]);
      if (hits.length > 0) expect(trace.legs.some(({ stage }) => stage === 'feedback')).toBe(true);
      return ids(hits);
    };
    expect(await find('"old mill"')).toEqual(['mill']);
    expect(await find('river -"old mill"')).not.toContain('mill');
    expect(await find('old -river')).not.toContain('miller');
    expect(await find('mil*')).toEqual(expect.arrayContaining(['gate', 'mill', 'miller']));
    expect(await find('"no such thing" river')).toEqual([]);
  }
  await surmise.close();
});

test('models read the question without operators; the answer names it as it was asked', async () => {
  const surmise = await harbour();
  const asked = 'old "by the river" -tower';
  const { query, trace } = await surmise.search(asked);
  expect(query).toBe(asked);
  expect(trace.operators).toEqual({
    must: [[{ sequence: ['by', 'the', 'river'] }]],
    not: [{ sequence: ['tower'] }],
  });
  expect((await surmise.search('old river')).trace.operators).toBeUndefined();
  const { hits: plain } = await surmise.search('old by the river', { mode: 'dense', feedback: false });
  const { hits } = await surmise.search('old "by the river"', { mode: 'dense', feedback: false });
  const scores = new Map(plain.map(({ id, legs }) => [id, legs.dense!.score]));
  expect(hits.map(({ legs }) => legs.dense!.score)).toEqual(hits.map(({ id }) => scores.get(id)));
  await surmise.close();
});

test('a question of exclusions only has nothing to look for', async () => {
  const surmise = await harbour();
  expect(await surmise.search('-mill -"old gate"')).toMatchObject({ hits: [], reason: 'no searchable token' });
  await surmise.close();
});

test('a question that is one phrase closes the gate, other operators do not', async () => {
  const surmise = await harbour();
  const reason = async (question: string) => (await surmise.search(question)).trace.gate.reason;
  expect(await reason('"old mill"')).toBe('quoted phrase');
  expect(await reason('where is the "old mill" of the town')).toBe('question');
  expect(await reason('where is the mill -river')).toBe('question');
  expect(await reason('where is the mil*')).toBe('question');
  await surmise.close();
});
