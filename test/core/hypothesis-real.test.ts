import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';
import { hypothesisPrompt } from '../../src/core/prompt.js';
import { detectLanguage } from '../../src/kernels/detect-language.js';

interface Row {
  readonly _id: string;
  readonly text: string;
  readonly hypotheses: readonly string[];
}

const data = resolve(process.env.SURMISE_DATA ?? '../shared/data');
const rowsOf = (set: string, name: string): Row[] =>
  readFileSync(join(data, set, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Real output of a model, cleaned. */
function cleaned(set: string, name: string): string[] {
  const questions = new Map(rowsOf(set, 'queries').map(({ _id, text }) => [_id, text]));
  const { system: instructions } = hypothesisPrompt('', { language: 'en' });
  return rowsOf(set, name).flatMap(({ _id, hypotheses }) =>
    hypotheses.map((raw) => {
      const result = cleanHypothesis(raw, questions.get(_id)!, { instructions, language: 'en', detectLanguage });
      return 'text' in result ? result.text : `dropped: ${result.dropped}`;
    }),
  );
}

test.skipIf(!existsSync(join(data, 'scifact')))('raw output becomes what people made of it by hand, all of it', () => {
  const byHand = rowsOf('scifact', 'hypotheses.llama3.1-8b').flatMap(({ hypotheses }) => hypotheses);
  expect(cleaned('scifact', 'hypotheses.llama3.1-8b.raw')).toEqual(byHand);
  expect(byHand).toHaveLength(300);
});

test.skipIf(!existsSync(join(data, 'trec-dl-pool'))).each([
  ['hypotheses.llama-3.1-8b-instruct', 344],
  ['hypotheses.qwen3-30b-a3b-instruct-2507', 224],
  ['hypotheses.text-davinci-003', 344],
])('nothing good of %s is dropped or changed', (name, count) => {
  const raw = rowsOf('trec-dl-pool', name).flatMap(({ hypotheses }) => hypotheses);
  expect(cleaned('trec-dl-pool', name)).toEqual(raw.map((text) => text.trim().normalize('NFC')));
  expect(raw).toHaveLength(count);
});
