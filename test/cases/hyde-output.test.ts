import { describe, expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';
import { hypothesisPrompt, promptVersion, standalonePrompt } from '../../src/core/prompt.js';
import { type DocumentType, documentTasks } from '../../src/core/prompt-documents.js';
import { nativePrompts } from '../../src/core/prompt-languages.js';
import { standaloneQuestion } from '../../src/core/standalone-question.js';
import { generatorOf, indexed, library } from '../core/library.js';

const question = 'why do bees leave the hive in May';
const passage = 'In May the old queen leaves with half of the bees to found another colony.';

describe('FR-200 whether hypotheses work can be seen, and the prompt can be one’s own', () => {
  test('every text that was written is in the trace, used or not', async () => {
    const refusal = 'I’m sorry, but I cannot answer questions about bees.';
    const generator = generatorOf(async () => [{ text: `<think>bees</think>${passage}` }, { text: refusal }]);
    const { trace } = await (await indexed(library, { generator })).search(question, { hyde: 'on', feedback: false });
    expect(trace.hypotheses).toEqual([
      { source: 'generator', text: passage, used: true },
      { source: 'generator', text: refusal, used: false, dropped: 'refusal' },
    ]);
  });

  test('an own prompt is checked, and its identity changes with it', () => {
    const version = (instructions: string) => promptVersion({ instructions });
    expect(version('Write a line of a log.')).not.toBe(version('Write a line of a bee-keeper’s log.'));
    expect(() => version(' ')).toThrow(/instructions must have/);
    expect(() => version('x'.repeat(4_001))).toThrow(/instructions must have/);
  });
});

test('FR-202 one text for all questions is searched with for none but the first', async () => {
  const stock = 'This passage explains the most important facts about the subject in a clear way.';
  const generator = generatorOf(async () => [{ text: stock }]);
  const surmise = await indexed(library, { generator });
  const questions = [
    'why do bees swarm',
    'kettle tastes of chalk',
    'sourdough rising',
    'pressure in tyres',
    'rosin for violin bows',
    'router lamp blinking',
    'glacier milky lakes',
  ];
  const used: number[] = [];
  for (const asked of questions) {
    const { trace, hits } = await surmise.search(asked, { hyde: 'on', n: 1, feedback: false });
    used.push(trace.hypotheses.filter((hypothesis) => hypothesis.used).length);
    if (used.at(-1) === 0) expect(hits).toEqual((await surmise.search(asked, { hyde: 'off' })).hits);
  }
  expect(used).toEqual([1, 0, 0, 0, 0, 0, 0]);
});

test('FR-203 no prompt holds an example to copy, and what repeats the prompt is dropped', () => {
  const types = Object.keys(documentTasks) as DocumentType[];
  const prompts = [
    ...types.map((type) => hypothesisPrompt(question, { type })),
    ...Object.keys(nativePrompts).map((language) => hypothesisPrompt(question, { language })),
    standalonePrompt([], question),
  ];
  for (const { system: instructions } of prompts) {
    expect(instructions).not.toMatch(/for example|e\.g\.|z\. ?B\.|par exemple|por ejemplo|por exemplo|例如|たとえば/i);
    expect(cleanHypothesis(instructions, question, { instructions })).toHaveProperty('dropped');
    expect(cleanHypothesis(passage, question, { instructions })).toEqual({ text: passage });
  }
});

test('FR-204 the last word of a long question is in the prompt, and a rewriting that loses a name is not used', () => {
  const long = `${'In which of the many rooms of the old house by the sea '.repeat(40)}stands model XR7?`;
  expect(hypothesisPrompt(long).user).toContain('stands model XR7?');
  expect(standalonePrompt([], long).user).toContain('stands model XR7?');
  expect(standaloneQuestion('In which room of the house by the sea does it stand?', long, [])).toEqual({
    question: long,
    doubt: 'a lost name',
  });
});
