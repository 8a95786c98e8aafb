import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';

const passage = 'Open the valve of the radiator a quarter turn until the air has left and water comes.';

test('whatever comes in, what goes out is dropped with a reason, or trimmed and of a fair length', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '<think>',
      '</think>',
      '<|x|>',
      '```',
      '~~~',
      '\n',
      '[INST]',
      'Sure: ',
      '{{',
      '}}',
      '{"passage":',
      '"',
      '}',
      passage,
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.string(), (parts, asked) => {
      const cleaned = cleanHypothesis(parts.join(''), asked);
      if ('dropped' in cleaned) expect(cleaned.dropped).not.toBe('');
      else {
        expect(cleaned.text).toBe(cleaned.text.trim());
        expect(cleaned.text.length).toBeGreaterThan(6);
        expect(cleaned.text.length).toBeLessThanOrEqual(8_000);
      }
    }),
    { numRuns: 300 },
  );
});

// What takes more than linear time on 200,000 characters does not end within the time of a test.
describe('babble as long as is allowed is judged', () => {
  const units = [
    '<think>',
    '</think>',
    '<think',
    '`',
    '```\n',
    '~~~ ',
    'a ',
    '[insert ',
    '{{',
    '<|',
    '<|x|>',
    '<|channel|>analysis',
    'sure :',
    '{"passage":',
    '{"passage":"a',
    '{ "text" : {',
    '[{',
    '"',
    '\nQuestion:',
    '\nUser: x',
    'question: ',
    'passage: ',
    '<passage>',
    '</passage>',
    'analysisThe ',
    'assistantfinal',
    '\n(Note: ',
    'I am sorry ',
    'please ',
    'ha',
    '打',
    '\\',
    '}',
    '  ',
    '[INST]',
    '“',
    '<question-12345678>',
    'here is the passage',
  ];
  test.each(units)('%j', (unit) => {
    for (const other of ['', ...units.slice(0, 12), '}', '\n', ' x']) {
      const babble = (unit + other).repeat(200_000).slice(0, 200_000);
      expect(Object.keys(cleanHypothesis(babble, 'How do I bleed a radiator?'))).toHaveLength(1);
    }
  });
});
