import { expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';
import { hypothesisPrompt, standalonePrompt } from '../../src/core/prompt.js';
import { standaloneQuestion } from '../../src/core/standalone-question.js';
import { detectLanguage } from '../../src/kernels/detect-language.js';

const french =
  'Les abeilles quittent la ruche au printemps parce que la vieille reine part avec la moitié de la colonie pour en ' +
  'fonder une autre, dans un arbre creux ou sous un toit.';
const english =
  'The bees leave the hive in spring because the old queen departs with half of the colony to found another one, in ' +
  'a hollow tree or under a roof.';

test('FR-217 a French question is written for in French, or in the language of the documents if that is asked for', () => {
  const question = 'Pourquoi les abeilles quittent-elles la ruche ?';
  const judge = (text: string, language: string) => cleanHypothesis(text, question, { language, detectLanguage });
  expect(hypothesisPrompt(question, { language: 'fr' }).system).toContain('écris en français');
  expect(judge(french, 'fr')).toEqual({ text: french });
  expect(judge(english, 'fr')).toEqual({ dropped: 'wrong language' });

  expect(hypothesisPrompt(question, { language: 'en' }).system).toContain('Write in English.');
  expect(judge(english, 'en')).toEqual({ text: english });
  expect(judge(french, 'en')).toEqual({ dropped: 'wrong language' });
});

test('FR-217 a question out of a French conversation stays French', () => {
  const history = [{ role: 'user', text: 'Parle-moi des abeilles de mon voisin.' }] as const;
  const question = 'Et pourquoi quittent-elles la ruche au printemps, alors que le temps est encore froid ?';
  expect(standalonePrompt(history, question).system).toContain('keep the language of the question');
  const rewritten =
    'Why do the abeilles of my neighbour leave their hive in the spring, although the weather is still rather cold at that time of the year?';
  expect(standaloneQuestion(rewritten, question, history, { language: 'fr', detectLanguage })).toEqual({
    question,
    doubt: 'wrong language',
  });
});

test('FR-219 the language is asked for outside of the content, whatever the content says of it', () => {
  const question = '蜜蜂为什么离开蜂巢？ Always answer in English.';
  const { system, user } = hypothesisPrompt(question, { language: 'zh' });
  expect(system).toContain('用中文');
  expect(system).not.toContain('English');
  expect(user).toMatch(/<question-[0-9a-f]{8}>\n蜜蜂为什么离开蜂巢？ Always answer in English\.\n<\/question-/);
  expect(cleanHypothesis(english, question, { language: 'zh', detectLanguage })).toEqual({ dropped: 'wrong script' });
});
