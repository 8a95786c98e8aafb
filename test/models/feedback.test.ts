import { describe, expect, test } from 'vitest';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { generatorContract, contractPrompt as prompt } from '../contract/generator.js';

generatorContract('feedback', () => feedbackGenerator());

describe('feedback', () => {
  test('the best passages as they are indexed, at most n and at most `passages`', async () => {
    const texts = async (passages: number, n: number) =>
      (await feedbackGenerator({ passages }).generate(prompt, { n })).map(({ text }) => text);
    expect(await texts(2, 9)).toEqual(['Harbour\nTimetable of the harbour.', 'Harbour\nBoats cross twice a day.']);
    expect(await texts(9, 1)).toHaveLength(1);
    expect(await texts(9, 9)).toHaveLength(prompt.passages.length);
  });

  test('stored vectors come along as copies', async () => {
    const vector = Float32Array.of(0.6, 0.8);
    const passages = [{ ...prompt.passages[0]!, vector }, prompt.passages[1]!];
    const [first, second] = await feedbackGenerator().generate({ ...prompt, passages }, { n: 2 });
    expect(first!.vector).toEqual(vector);
    expect(first!.vector).not.toBe(vector);
    expect(second).not.toHaveProperty('vector');
  });

  test('nothing found, nothing given; blank passages are passed over', async () => {
    expect(await feedbackGenerator().generate({ ...prompt, passages: [] }, { n: 3 })).toEqual([]);
    const passages = [{ ...prompt.passages[0]!, text: ' \n' }, prompt.passages[1]!];
    const generations = await feedbackGenerator({ passages: 1 }).generate({ ...prompt, passages }, { n: 3 });
    expect(generations.map(({ text }) => text)).toEqual(['Harbour\nBoats cross twice a day.']);
  });

  test('arguments are checked', () => {
    expect(() => feedbackGenerator({ passages: 0 })).toThrow('"passages" must be a whole number from 1 to 32');
    expect(() => feedbackGenerator({ count: 1 } as object)).toThrow('Unknown option "count"');
  });
});
