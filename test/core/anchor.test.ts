import { describe, expect, test } from 'vitest';
import { anchoredText, anchorWeight, meanOf } from '../../src/core/anchor.js';
import type { SearchOptions } from '../../src/core/options.js';
import type { Embedder } from '../../src/core/ports.js';
import { averageEmbeddings } from '../../src/core/vectors.js';
import { indexed, library } from './library.js';

const question = 'when do bees leave';
const hypotheses = ['A hive swarms in May.', 'The old queen leaves the hive.'];
/** Vectors of two dimensions, by the text. */
const directions: Readonly<Record<string, number>> = { [question]: 0, [hypotheses[0]!]: 40, [hypotheses[1]!]: 100 };
const vectorOf = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const embedder: Embedder = {
  fingerprint: { provider: 'test', model: 'compass', dimensions: 2, normalised: true },
  limits: { batch: 16 },
  embed: async (texts) => texts.map((text) => vectorOf(directions[text] ?? (text.length % 18) * 20)),
};

/** The vector that a search ends up with, out of the cosines of all documents with it. */
async function searched(options: SearchOptions): Promise<(document: number) => number> {
  const surmise = await indexed(library, { embedder });
  const { hits } = await surmise.search(question, { mode: 'dense', hypotheses, ...options });
  const scores = new Map(hits.map(({ document, legs }) => [document, legs['dense+hypothesis']!.score]));
  return (document) => scores.get(library[document]!.id)!;
}

const unit = hypotheses.map((text) => vectorOf(directions[text]!));
const q = vectorOf(0);
const cases: [string, SearchOptions, Float32Array][] = [
  ['mix of halves', {}, averageEmbeddings([q, averageEmbeddings(unit)])],
  ['mix of .8', { mix: 0.8 }, averageEmbeddings([q, averageEmbeddings(unit)], { weights: [0.8, 0.2] })],
  ['mix of 1', { mix: 1 }, q],
  ['mix of 0', { mix: 0 }, averageEmbeddings(unit)],
  ['parity', { anchor: 'parity' }, averageEmbeddings([q, ...unit])],
  ['hypothesis only', { anchor: 'hypothesis' }, averageEmbeddings(unit)],
];

test.each(cases)('%s', async (_, options, expected) => {
  const scoreOf = await searched(options);
  for (const [index, { text, title }] of library.entries()) {
    const own = vectorOf((`${title}\n${text}`.length % 18) * 20);
    const indexedAlone = vectorOf((text.length % 18) * 20);
    const cosines = [own, indexedAlone].map((v) => v[0]! * expected[0]! + v[1]! * expected[1]!);
    expect(Math.min(...cosines.map((cosine) => Math.abs(cosine - scoreOf(index))))).toBeLessThan(1e-5);
  }
});

test('concat embeds question and passage as one text, as a document', async () => {
  const asked: string[] = [];
  const listening: Embedder = {
    ...embedder,
    embed(texts, options) {
      asked.push(...texts.map((text) => `${options.role}: ${text}`));
      return embedder.embed(texts, options);
    },
  };
  const { store } = await indexed(library, { embedder });
  const surmise = await indexed([], { store, embedder: listening });
  await surmise.search(question, { mode: 'dense', hypotheses: [hypotheses[0]!], anchor: 'concat' });
  expect(asked).toEqual([`query: ${question}`, `document: ${question}\n\n${hypotheses[0]}`]);
  expect(anchoredText('mix', question, 'passage')).toBe('passage');
});

test('a hypothesis counts as much as its caller says', async () => {
  const weighted = { hypotheses: [{ text: hypotheses[0]!, weight: 3 }, hypotheses[1]!], anchor: 'hypothesis' } as const;
  const [all, scoreOf] = [await searched({ anchor: 'hypothesis' }), await searched(weighted)];
  const leaning = library.map((_, index) => scoreOf(index) - all(index));
  expect(Math.max(...leaning.map(Math.abs))).toBeGreaterThan(0.01);
  expect(
    meanOf([
      { vector: unit[0]!, count: 3 },
      { vector: unit[1]!, count: 1 },
    ]),
  ).toEqual(averageEmbeddings(unit, { weights: [3, 1], normalizeOutput: false }));
});

describe('the weight', () => {
  const counted = unit.map((vector) => ({ vector, count: 1 }));
  test('of the plain mean shrinks where the passages differ', () => {
    expect(anchorWeight('parity', 0.5, [counted[0]!, counted[0]!])).toBeCloseTo(2, 6);
    expect(anchorWeight('parity', 0.5, counted)).toBeCloseTo(2 * Math.cos((30 * Math.PI) / 180), 6);
  });
  test('of a mix is that of the rest', () => {
    expect([1, 0.5, 0.2, 0].map((mix) => anchorWeight('mix', mix, counted))).toEqual([0, 1, 4, Infinity]);
  });
});

test.each([1e308, 5e-324])('weights that are %d each are as good as 1', async (weight) => {
  const weighted = hypotheses.map((text) => ({ text, weight }));
  const surmise = await indexed(library, { embedder });
  const [one, other] = [
    await surmise.search(question, { hypotheses: weighted }),
    await surmise.search(question, { hypotheses }),
  ];
  expect(one.degraded).toEqual([]);
  expect(one.hits.map(({ id }) => id)).toEqual(other.hits.map(({ id }) => id));
  for (const [at, { score }] of one.hits.entries()) expect(score).toBeCloseTo(other.hits[at]!.score, 5);
});

test('passages that cancel each other out leave the question', async () => {
  const against: Embedder = {
    ...embedder,
    embed: async (texts) =>
      texts.map((text) => vectorOf(text === 'east side of it' ? 0 : text === 'west side of it' ? 180 : 90)),
  };
  const { store } = await indexed(library, { embedder });
  const surmise = await indexed([], { store, embedder: against });
  const options = { mode: 'dense', feedback: false } as const;
  const plain = await surmise.search(question, { ...options, hyde: 'off' });
  const both = await surmise.search(question, { ...options, hypotheses: ['east side of it', 'west side of it'] });
  expect(both.hits.map(({ id, score }) => [id, score])).toEqual(plain.hits.map(({ id, score }) => [id, score]));
});
