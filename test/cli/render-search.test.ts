import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import * as explanations from '../../src/cli/render-explanation.js';
import { renderSearch } from '../../src/cli/render-search.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { generatorOf, indexed } from '../core/library.js';

const documents = [{ id: 'ferry', text: 'Dogs travel free. The ferry leaves at noon. Coffee is served on deck.' }];
const asked = 'ferry leaves at noon';

test('the explanation names every stage behind fusion, and a trimmed hit shows what was kept', async () => {
  const reranker = { id: 'tester', rerank: async (_: string, texts: readonly string[]) => texts.map(() => 0.75) };
  const { search } = await indexed(documents, { embedder: deterministicEmbedder(), reranker });
  const text = stripVTControlCharacters(renderSearch(await search(asked, { mmr: true, trim: true }), explanations));
  expect(text).toMatch(/^1\. ferry {2}0\.750$/m);
  expect(text).toMatch(/^ {3}The ferry leaves at noon\.$/m);
  expect(text).toMatch(/stages +plain #1 1\.000 → rerank #1 0\.750 → mmr #1 0\.375/);
  expect(text).toMatch(/reranker tester: 1 passages in \d+ ms/);
  expect(text).toMatch(/mmr: λ 0\.5 over 1 candidates/);
  expect(text).toMatch(/trim: 1 of 3 sentences stay \(floor 0\.38\), \d+ ms/);
});

test('without them it says nothing of them, and the hit is whole', async () => {
  const { search } = await indexed(documents, { embedder: deterministicEmbedder() });
  const text = stripVTControlCharacters(renderSearch(await search(asked), explanations));
  expect(text).toContain('Dogs travel free. The ferry leaves at noon.');
  expect(text).not.toMatch(/reranker|mmr|trim/);
});

test('it says why no model was asked, whose hypotheses these are, and where the weights are from', async () => {
  const generator = generatorOf(async () => [{ text: 'The boat to the island departs at midday from the old pier.' }]);
  const { search } = await indexed(documents, { embedder: deterministicEmbedder(), generator });
  const shown = async (question: string) =>
    stripVTControlCharacters(renderSearch(await search(question), explanations));
  expect(await shown(asked)).toMatch(/hypotheses: yes \(question\), no model asked: clear lexical winner$/m);
  const question = 'when can I go across with my dog';
  expect(await shown(question)).toMatch(/generator \S+: 1 of 3 in \d+ ms$/m);
  const again = await shown(question);
  expect(again).toMatch(/generator \S+: 1 of 3 in \d+ ms, from cache$/m);
  // Of three words the index holds one, so the words count a third of their half.
  expect(again).toMatch(/fusion: linear, weights lexical\+hypothesis 0\.167, dense\+hypothesis 0\.500 \(default\)$/m);
});
