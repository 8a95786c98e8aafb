import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOf, type Reading } from '../../src/files/index.js';

async function reading(name: string, content: string): Promise<Reading> {
  const format = formatOf(name);
  if (typeof format === 'string') throw new Error(format);
  const result = await format.read(Buffer.from(content));
  if ('reason' in result) throw new Error(`${result.reason}: ${result.detail}`);
  return result;
}

function outline({ text, blocks }: Reading): string[] {
  return blocks.map(({ start, end, heading = [] }) => [...heading, text.slice(start, end)].join(' > '));
}

describe('JSON', () => {
  test('a list of objects is a block for each', async () => {
    const file = await reading('a.json', '[{"id":1,"tags":["a"]},{"id":2}]');
    expect(outline(file)).toEqual([
      '  {\n    "id": 1,\n    "tags": [\n      "a"\n    ]\n  },',
      '  {\n    "id": 2\n  }',
    ]);
    expect(JSON.parse(file.text)).toEqual([{ id: 1, tags: ['a'] }, { id: 2 }]);
  });

  test('an object is a block for each entry, and for each object of a list in it', async () => {
    const file = await reading('a.json', '{"name":"hive","size":{"x":1},"bees":[{"n":1},{"n":2}],"end":3}');
    expect(file.title).toBe('hive');
    expect(outline(file)).toEqual([
      '  "name": "hive",',
      'size >   "size": {\n    "x": 1\n  },',
      'bees >   "bees": [',
      'bees >     {\n      "n": 1\n    },',
      'bees >     {\n      "n": 2\n    }\n  ],',
      '  "end": 3',
    ]);
  });

  test('what is not valid JSON, or nested too deep, is read as plain text', async () => {
    const settings = await reading('tsconfig.json', '{\n  // strict\n  "a": 1\n}');
    expect(settings.notes).toEqual(['read as plain text: not valid JSON']);
    expect(outline(settings)).toEqual(['{\n  // strict\n  "a": 1\n}']);
    const deep = await reading('a.json', '['.repeat(100_000));
    expect(deep.notes?.[0]).toContain('within each other');
  });

  test('blocks hold every letter and digit of any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (source) => {
        const { text, blocks } = await reading('a.json', source);
        const held = blocks.map(({ start, end }) => text.slice(start, end)).join('');
        const letters = (whole: string) => whole.replace(/[^\p{L}\p{N}]/gu, '');
        expect(letters(held)).toBe(letters(text));
      }),
      { numRuns: 200 },
    );
  });
});

test('JSONL: a line for each value, objects by name', async () => {
  const file = await reading('a.jsonl', '{"q":"Why?","a":{"n":1},"x":null}\r\n\n"plain"\n{broken\n');
  expect(outline(file)).toEqual(['q: Why?; a: {"n":1}', '"plain"', '{broken']);
  expect(file.notes).toEqual(['1 lines are no JSON and are read as text']);
});

describe('CSV', () => {
  test('each row reads alone, with the names of the first one', async () => {
    const file = await reading('a.csv', '\ufeffplant,height\n"Ash, tall","12\nm"\nElm,\n\nOak,20,old\n');
    expect(outline(file)).toEqual([
      'plant: Ash, tall; height: 12 m',
      'plant: Elm',
      'plant: Oak; height: 20; column 3: old',
    ]);
    expect(file.text.split('\n')).toHaveLength(3);
  });

  test('tabs and semicolons separate too, and a row with numbers is no header', async () => {
    expect(outline(await reading('a.tsv', 'a, b\tc\n1\t2\n'))).toEqual(['a, b: 1; c: 2']);
    expect(outline(await reading('a.csv', 'Ash;12,5\nElm;9\n'))).toEqual([
      'column 1: Ash; column 2: 12,5',
      'column 1: Elm; column 2: 9',
    ]);
  });

  test('a quote that is never closed ends with a reason', async () => {
    await expect(reading('a.csv', `a,b\n"${'x,y\n'.repeat(100_000)}`)).rejects.toThrow('damaged');
  });
});
