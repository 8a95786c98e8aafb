import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderEvaluation } from '../../src/cli/render-evaluation.js';
import * as explanations from '../../src/cli/render-explanation.js';
import { renderSearch } from '../../src/cli/render-search.js';
import { createSurmise } from '../../src/core/index.js';
import { openSqliteStore } from '../../src/storage/index.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const title = '\u001b]0;owned\u0007';
const control = /\p{Cc}/u;
/** Colours and line breaks are the command's own. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
const plain = (text: string) => text.replace(colour, '').replaceAll('\n', '');

test('names of files and collections reach the terminal without control characters', async () => {
  const home = await makeWorkspace({ 'a.md': 'apples\n' });
  const path = join(home, `${title}.db`);
  const store = openSqliteStore({ path });
  await createSurmise({ store }).index([{ document: { id: 'a', text: 'apples' } }]);
  await store.close();
  const { code, stdout } = await surmise(['status', '--index', path], { home });
  expect(code).toBe(0);
  expect(stdout).toContain('owned');
  expect(plain(stdout)).not.toMatch(control);
  const arms = { lexical: { 'nDCG@10': 1, 'R@100': 1, 'RR@10': 1, AP: 1, queries: 1 } };
  const table = renderEvaluation({ dataset: `set\n${title}`, documents: 1, queries: 1, arms, comparisons: [] });
  expect(plain(table)).not.toMatch(control);
});

test('a path is on one line, whatever is in it', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  const engine = createSurmise({ store });
  await engine.index([{ document: { id: `two\nlines${title}.md`, text: 'apples' } }]);
  const text = renderSearch(await engine.search('apples', { mode: 'lexical', explain: true }), explanations);
  expect(text.split('\n')[1]).toMatch(/two lines.*owned.*md:0-6/);
  expect(plain(text)).not.toMatch(control);
  await store.close();
});
