import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchOptions } from '../../src/core/options.js';
import type { Embedder } from '../../src/core/ports.js';
import type { SearchResult } from '../../src/core/result.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const question = 'why do insects leave their home in spring';
const answer = 'In May a hive swarms: the old queen leaves with half of the bees to found another colony.';
const other = 'Bees swarm when the hive grows too small for the queen and her people.';
const documents = ({ hits }: SearchResult) => hits.map(({ document }) => document);
const stable = ({ trace, ...rest }: SearchResult) => rest;
const never = new Promise<never>(() => {});

async function steps(surmise: Awaited<ReturnType<typeof indexed>>, options: SearchOptions = {}, asked = question) {
  const seen = [];
  for await (const step of surmise.stream(asked, options)) seen.push(step);
  return seen;
}

describe('the whole path', () => {
  test('plain hits come first, while the generator still writes; then the list with its hypotheses', async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const generator = generatorOf(async () => {
      await gate;
      return [{ text: answer }];
    });
    const surmise = await indexed(library, { embedder, generator });
    const stream = surmise.stream(question);
    const plain = await stream.next();
    expect(plain.value).toMatchObject({ stage: 'plain', result: { mode: 'hybrid', trace: { hypotheses: [] } } });
    expect(plain.value!.result.hits.length).toBeGreaterThan(0);
    release();
    const final = await stream.next();
    expect(final.value).toMatchObject({ stage: 'final' });
    expect(documents(final.value!.result)[0]).toBe('bees');
    expect((await stream.next()).done).toBe(true);
  });

  test('every hit can be traced to its text, its legs and its stages', async () => {
    const generator = deterministicGenerator({ [question]: [answer, other] });
    const surmise = await indexed(library, { embedder, generator, feedback: feedbackGenerator() });
    const result = await surmise.search(question, { n: 2 });
    expect(result.degraded).toEqual([]);
    expect(result.hits.map(({ rank }) => rank)).toEqual(result.hits.map((_, index) => index + 1));
    for (const hit of result.hits) {
      const document = library.find(({ id }) => id === hit.document)!;
      expect(document.text.slice(hit.start, hit.end)).toBe(hit.text);
      expect(hit).toMatchObject({ id: `${hit.document}#0`, path: hit.document, title: document.title });
      const parts = Object.values(hit.legs).reduce((sum, { part }) => sum + part, 0);
      expect(parts).toBeCloseTo(hit.score, 12);
      expect(hit.stages.feedback).toEqual({ score: hit.score, rank: hit.rank });
    }
    const { trace } = result;
    expect(trace.gate).toEqual({ open: true, reason: 'question' });
    expect(trace.generator).toMatchObject({ id: 'deterministic', wanted: 2, received: 2 });
    expect(trace.hypotheses.map(({ source, used }) => `${source} ${used}`)).toEqual([
      'generator true',
      'generator true',
      'feedback true',
      'feedback true',
      'feedback true',
    ]);
    expect(new Set(trace.legs.map(({ name, stage }) => `${stage}: ${name}`))).toEqual(
      new Set([
        'plain: lexical',
        'plain: dense',
        'hypotheses: lexical+hypothesis',
        'hypotheses: dense+hypothesis',
        'feedback: lexical+hypothesis',
        'feedback: dense+hypothesis',
      ]),
    );
    expect(trace.index).toEqual({ documents: 8, chunks: 8, vectors: 8 });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  test('a hypothesis finds in both legs what the question alone does not', async () => {
    const asked = 'Why has my drink got white bits floating about?';
    const generator = deterministicGenerator({ [asked]: ['Water leaves chalk: descale the kettle with vinegar.'] });
    const surmise = await indexed(library, { embedder, generator });
    const plain = await surmise.search(asked, { mode: 'lexical', hyde: 'off' });
    expect(documents(plain)).not.toContain('kettle');
    for (const mode of ['lexical', 'dense', 'hybrid'] as const)
      expect(documents(await surmise.search(asked, { mode }))[0]).toBe('kettle');
  });

  test('hypotheses are embedded as documents, the question as a query', async () => {
    const roles: string[] = [];
    const spy: Embedder = {
      ...embedder,
      embed(texts, options) {
        roles.push(`${options.role}: ${texts.length}`);
        return embedder.embed(texts, options);
      },
    };
    const generator = deterministicGenerator({ [question]: [answer, other] });
    const surmise = await indexed(library, { embedder: spy, generator });
    roles.length = 0;
    await surmise.search(question);
    expect(roles).toEqual(['query: 1', 'document: 2']);
  });

  test('feedback alone needs no model and no further embedding', async () => {
    const surmise = await indexed(library, { embedder, feedback: feedbackGenerator({ passages: 1 }) });
    const result = await surmise.search('queen of a hive');
    expect(result.trace.hypotheses).toMatchObject([{ source: 'feedback', used: true }]);
    expect(result.trace.hypotheses[0]!.text).toContain('the old queen leaves');
    expect(documents(result)[0]).toBe('bees');
    expect((await surmise.search('queen of a hive', { feedback: false })).trace.hypotheses).toEqual([]);
  });

  test.each<[string, SearchOptions]>([
    ['switched off', { hyde: 'off' }],
    ['an identifier', { hyde: 'auto' }],
  ])('where the gate is closed (%s) nothing is generated or fed back', async (_, options) => {
    const generator = generatorOf(() => {
      throw new Error('was asked');
    });
    const surmise = await indexed(library, { embedder, generator, feedback: feedbackGenerator() });
    const result = await surmise.search('lamp_42', options);
    expect(result.trace).toMatchObject({ gate: { open: false }, hypotheses: [] });
    expect(result.degraded).toEqual([]);
  });
});

describe('hypotheses of the caller', () => {
  const generator = generatorOf(() => {
    throw new Error('was asked');
  });

  test('are used as given, in place of generated ones', async () => {
    const surmise = await indexed(library, { embedder, generator });
    const given = ['hive', '<think>bees', answer];
    const result = await surmise.search(question, { hypotheses: given });
    expect(result.degraded).toEqual([]);
    expect(result.trace.hypotheses).toEqual(given.map((text) => ({ source: 'caller', text, used: true })));
    expect(documents(result)[0]).toBe('bees');
  });

  test('blank and repeated ones are dropped and said so; none at all means none', async () => {
    const surmise = await indexed(library, { embedder, generator });
    const { trace } = await surmise.search(question, { hypotheses: [' ', answer, `${answer}\n`] });
    expect(trace.hypotheses.map(({ used, dropped }) => dropped ?? used)).toEqual(['empty', true, 'duplicate']);
    const none = await surmise.search(question, { hypotheses: [] });
    expect(none.trace).not.toHaveProperty('generator');
    expect(stable(none)).toEqual(stable(await surmise.search(question, { hyde: 'off' })));
  });
});

describe('nothing to find', () => {
  test.each<[string, string]>([
    ['', 'empty query'],
    [' \n\u3000', 'empty query'],
    ['?!', 'no searchable token'],
    ['--- ... ---', 'no searchable token'],
  ])('%j: %s', async (asked, reason) => {
    const surmise = await indexed(library, { embedder, generator: generatorOf(() => never) });
    expect(await steps(surmise, {}, asked)).toMatchObject([{ stage: 'final', result: { hits: [], reason } }]);
  });

  test('an index without documents', async () => {
    const surmise = await indexed([]);
    for (const mode of ['lexical', 'dense', 'hybrid'] as const)
      expect(await surmise.search(question, { mode })).toMatchObject({ hits: [], reason: 'nothing indexed', mode });
  });

  test('words that are nowhere', async () => {
    const result = await (await indexed()).search('zeppelin hangar', { mode: 'lexical' });
    expect(result).toMatchObject({ hits: [], reason: 'nothing matches', degraded: [] });
  });

  test('a threshold that none reaches', async () => {
    const surmise = await indexed(library, { embedder });
    const result = await surmise.search('zeppelin hangar chalk moon', { minScore: 1, hyde: 'off' });
    expect(result).toMatchObject({ hits: [], reason: 'below the threshold' });
  });
});

describe('which legs run', () => {
  test('without an embedder, or without vectors, words are searched and it is said', async () => {
    const lexical = await indexed(library, {});
    expect(await lexical.search('queen of the hive')).toMatchObject({ mode: 'lexical', degraded: [] });
    const asked = await lexical.search('queen of the hive', { mode: 'hybrid' });
    expect(asked).toMatchObject({ mode: 'lexical', degraded: [{ part: 'dense' }] });
    await expect(lexical.search('queen', { mode: 'dense' })).rejects.toMatchObject({ code: 'bad_argument' });
    const noVectors = await indexed([], { store: lexical.store, embedder });
    expect(await noVectors.search('queen')).toMatchObject({ mode: 'lexical', degraded: [{ part: 'dense' }] });
    await expect(noVectors.search('queen', { mode: 'dense' })).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('beside another embedder than that of the index words go on finding, with a note that names both; more is an error', async () => {
    const { store } = await indexed();
    const strange: Embedder = { ...embedder, fingerprint: { ...embedder.fingerprint, model: 'strange' } };
    const mixed = createSurmise({ store, embedder: strange });
    const names = expect.stringMatching(/deterministic-64.*strange/);
    for (const mode of ['dense', 'hybrid'] as const)
      await expect(mixed.search('queen', { mode })).rejects.toMatchObject({
        code: 'embedder_mismatch',
        message: names,
      });
    const result = await mixed.search('queen');
    expect(result).toMatchObject({ mode: 'lexical', degraded: [{ part: 'dense', reason: names }] });
    expect(result.hits[0]!.document).toBe('bees');
    expect((await mixed.search('queen', { mode: 'lexical' })).degraded).toEqual([]);
    await mixed.remove(library.map(({ id }) => id));
    expect(await mixed.search('queen')).toMatchObject({ reason: 'nothing indexed' });
  });
});

describe('any collection and question', () => {
  const words = 'bee hive queen tide moon sun bread dough bow string lake rock'.split(' ');
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((list) => list.join(' '));
  const collections = fc
    .array(text, { minLength: 1, maxLength: 12 })
    .map((texts) => texts.map((body, index) => ({ id: `d${index}`, text: body })));
  const options = fc.record({
    mode: fc.constantFrom('lexical', 'dense', 'hybrid'),
    fusion: fc.constantFrom('linear', 'rrf'),
    per: fc.constantFrom('document', 'chunk'),
    denseWeight: fc.constantFrom(0, 0.3, 0.5, 1),
  } as const);
  const ports = { embedder, feedback: feedbackGenerator({ passages: 2 }) };

  test('the hits for k are a prefix of those for more', () =>
    fc.assert(
      fc.asyncProperty(collections, text, options, async (given, asked, chosen) => {
        const surmise = await indexed(given, ports);
        const all = (await surmise.search(asked, { ...chosen, k: 1_000 })).hits;
        for (const k of [1, 2, 3, 7])
          expect((await surmise.search(asked, { ...chosen, k })).hits).toEqual(all.slice(0, k));
        await surmise.close();
      }),
      { numRuns: 40 },
    ));

  test('the answer does not depend on the order in which documents came, nor on how many times', () =>
    fc.assert(
      fc.asyncProperty(collections, text, options, fc.gen(), async (given, asked, chosen, gen) => {
        const turned = gen(() => fc.shuffledSubarray(given, { minLength: given.length }));
        const [one, two] = [await indexed(given, ports), await indexed([], ports)];
        for (const document of turned) await two.index([{ document: { ...document, text: `old ${document.text}` } }]);
        for (const document of turned) await two.index([{ document }]);
        const asking = async (surmise: typeof one) => (await surmise.search(asked, chosen)).hits;
        expect(await asking(two)).toEqual(await asking(one));
        await Promise.all([one.close(), two.close()]);
      }),
      { numRuns: 25 },
    ));
});

test('a question without a word that the embedder knows leaves its dense leg empty, and the trace shows it', async () => {
  const blind: Embedder = {
    ...embedder,
    embed: async (texts, options) =>
      options.role === 'query' ? texts.map(() => new Float32Array(64)) : embedder.embed(texts, options),
  };
  const { store } = await indexed();
  const { trace, hits } = await createSurmise({ store, embedder: blind }).search('queen');
  expect(hits.length).toBeGreaterThan(0);
  expect(trace.legs).toContainEqual({ name: 'dense', stage: 'plain', candidates: 0, matched: 0, ms: 0 });
  expect(trace.fusion.weights).toEqual({ lexical: 1 });
});
