import { expect, test } from 'vitest';
import { blendedRank } from '../../src/core/blended-rank.js';
import { fuse, type Leg } from '../../src/core/fusion.js';
import { normalizeBy } from '../../src/core/normalisation.js';
import { indexed } from '../core/library.js';

const leg = (name: string, scores: Record<string, number>, range?: { min: number; max: number }): Leg => {
  const hits = Object.entries(scores).map(([id, score]) => ({ id, score }));
  const values = hits.map(({ score }) => score);
  const own = { min: Math.min(...values), max: Math.max(...values) };
  return { name, weight: 1, found: hits.length, list: { hits, matched: hits.length, range: range ?? own } };
};

test('FR-183 one score alone, and scores that are all equal, count 1', async () => {
  expect(fuse([leg('dense', { only: 0.95 })])).toMatchObject([{ id: 'only', score: 1 }]);
  const equal = fuse([leg('dense', { a: 0.5, b: 0.5, c: 0.5 })]);
  expect(equal.map(({ id, score }) => [id, score])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  expect(fuse([leg('dense', { a: 0, b: 0 })]).map(({ score }) => score)).toEqual([1, 1]);

  const one = await indexed([{ id: 'only', text: 'A lantern.' }]);
  const three = await indexed(['a', 'b', 'c'].map((id) => ({ id, text: 'A lantern.' })));
  for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
    expect((await one.search('lantern', { mode })).hits.map(({ score }) => score)).toEqual([1]);
    expect((await three.search('lantern', { mode })).hits.map(({ score }) => score)).toEqual([1, 1, 1]);
  }
});

test('FR-185 what a leg has not found gets exactly 0 from it, never less', async () => {
  const fused = fuse([
    leg('lexical', { strong: 5, weak: 2 }, { min: 0, max: 5 }),
    leg('dense', { silent: 0.9, weak: 0.4, strong: 0.1 }),
  ]);
  const found = (id: string) => fused.find((hit) => hit.id === id)!;
  expect(found('strong')).toMatchObject({ score: 0.5, legs: { dense: { part: 0 } } });
  expect(found('silent')).toEqual({ id: 'silent', score: 0.5, legs: { dense: { rank: 1, score: 0.9, part: 0.5 } } });
  // Even where the range that a store gives is that of the matches only.
  const narrow = fuse([leg('lexical', { strong: 5, weak: 2 }), leg('dense', { silent: 0.9, strong: 0.1 })]);
  for (const { legs } of narrow) for (const { part } of Object.values(legs)) expect(part).toBeGreaterThanOrEqual(0);

  const surmise = await indexed([
    { id: 'strong', text: 'lantern lantern' },
    { id: 'weak', text: 'a lantern stood in the hall of the house' },
    { id: 'silent', text: 'fog on the water' },
  ]);
  const { hits } = await surmise.search('lantern', { hyde: 'off' });
  expect(hits.find(({ document }) => document === 'silent')!.legs).not.toHaveProperty('lexical');
  const weak = hits.find(({ document }) => document === 'weak')!;
  expect(weak.legs.lexical!.part).toBeGreaterThan(0);
});

test('FR-183, FR-185 so it is for facts and for lists of scores', () => {
  expect([...normalizeBy([0.95], 'min-max'), ...normalizeBy([0.5, 0.5, 0.5], 'min-max')]).toEqual([1, 1, 1, 1]);
  const fact = (id: string, words: readonly string[], cosine?: number) => ({
    id,
    content: words,
    createdAt: 0,
    ...(cosine !== undefined && { cosine }),
  });
  const weights = { semantic: 0, lexical: 1, temporal: 0 };
  const equal = blendedRank([fact('a', ['port']), fact('b', ['port'])], { keywords: ['port'], weights, now: 0 });
  expect(equal.map(({ score }) => score)).toEqual([1, 1]);
  const missing = blendedRank(
    [fact('two', ['port', 'quay']), fact('one', ['port']), fact('by meaning', ['tea'], 0.9)],
    { keywords: ['port', 'quay'], weights, now: 0 },
  );
  expect(missing.map(({ id, score }) => [id, score])).toEqual([
    ['two', 1],
    ['one', 0.5],
    ['by meaning', 0],
  ]);
});
