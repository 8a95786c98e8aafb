import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOf, type Reading } from '../../src/files/formats.js';
import { grammarsPresent } from '../../src/files/source-grammar.js';
import { sourceLanguages } from '../../src/files/source-languages.js';
import { samples } from './source-samples.js';

async function reading(name: string, content: string): Promise<Reading> {
  const format = formatOf(name);
  if (typeof format === 'string') throw new Error(format);
  const result = await format.read(Buffer.from(content));
  if ('reason' in result) throw new Error(`${result.reason}: ${result.detail}`);
  return result;
}

/** Blocks as their headings and text. */
async function outline(name: string, content = samples[name]!): Promise<string[]> {
  const { text, blocks } = await reading(name, content);
  return blocks.map(({ start, end, heading = [] }) => [...heading, text.slice(start, end)].join(' > '));
}

const loneSurrogate = /\p{Cs}/u;

/** What holds for the blocks of any text. */
async function expectWhole(name: string, content: string): Promise<void> {
  const { text, blocks } = await reading(name, content);
  const held = blocks.map(({ start, end }) => text.slice(start, end));
  expect(held.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  expect(held.every((part) => part.trim() !== '' && !loneSurrogate.test(part))).toBe(true);
  expect(blocks.every(({ start }, index) => start >= (blocks[index - 1]?.end ?? 0))).toBe(true);
  for (const { heading = [] } of blocks) {
    expect(heading.length).toBeLessThanOrEqual(2);
    expect(heading.every((title) => title.length > 0 && title.length <= 120 && !loneSurrogate.test(title))).toBe(true);
  }
}

test('every language of the table has its grammar and a sample', async () => {
  expect(await grammarsPresent()).toEqual(sourceLanguages.map(({ name }) => name));
  const sampled = Object.keys(samples).map((name) => formatOf(name));
  expect(new Set(sampled).size).toBe(sourceLanguages.length);
});

describe('definitions', () => {
  test('of TypeScript: a class, its members, what is between and around', async () => {
    const hive = 'export class Hive<T> extends Box';
    expect(await outline('a.ts')).toEqual([
      "import { Bee } from 'bee';",
      '/* 🗼 Grüße aus 東京 */',
      `${hive} > /** Bees. */\n@sealed\nexport class Hive<T> extends Box {\n  count = 1;`,
      `${hive} > size(of: T): number >   /** How many. */\n  @cached\n  size(of: T): number {\n    return 1;\n  } // all`,
      `${hive} > static async open() >   static async open() {}\n}`,
      'export const twice = (n: number) => > // Twice as many.\nexport const twice = (n: number) => {\n  return 2 * n;\n};',
      'run();',
    ]);
  });

  test('of Python, with decorators and comments', async () => {
    expect(await outline('a.py')).toEqual([
      '"""🐝 Bees."""\nimport os',
      'class Hive(Box) > class Hive(Box):',
      'class Hive(Box) > def size(self) >     # One.\n    @cached\n    def size(self):\n        return 1',
      'class Hive(Box) > async def open(self) >     async def open(self): pass',
      'def count(a) > # Outside.\n@dec\n@dec2(1)\ndef count(a):\n    return a',
      'print(Hive())',
    ]);
  });

  test('of Ruby: a class leaves out the module around it', async () => {
    expect(await outline('a.rb')).toEqual([
      '# 🐝',
      'module Bees > module Bees',
      'class Hive < Box >   # Bees.\n  class Hive < Box\n    attr_reader :n',
      'class Hive < Box > def size(a) >     # Counts.\n    def size(a)\n      @n\n    end',
      'class Hive < Box > private def one; end >     private def one; end\n  end\nend',
    ]);
  });

  test.each([
    ['a.tsx', ['class Hive', 'draw()'], ['function Bee()']],
    ['a.js', ['class Hive', 'grow = () =>'], ['function* each()']],
    ['a.go', ['type Hive struct'], ['func (h *Hive) Size() int']],
    ['a.rs', ['impl Hive', 'pub fn size(&self) -> u32'], ['mod tests', 'fn one()']],
    ['a.java', ['public class Hive', 'public int size()'], ['public class Hive', 'Hive()']],
    ['a.cs', ['public class Hive'], ['public class Hive', 'public int Size()']],
    ['a.cpp', ['template <class T>', 'int size()'], ['namespace bees', 'int count()']],
    ['a.php', ['class Hive extends Box', 'public function size(): int'], ['function count_all()']],
    ['a.sh', ['size()'], ['function open_hive']],
  ])('of %s', async (name, ...headings) => {
    const { blocks, notes } = await reading(name, samples[name]!);
    const found = blocks.map(({ heading }) => heading);
    for (const heading of headings) expect(found).toContainEqual(heading);
    expect(notes).toEqual([]);
  });

  test('in a long function are blocks of their own', async () => {
    const filler = '  step();\n'.repeat(150);
    const code = `function outer() {\n${filler}\n  function inner() {\n    return 1;\n  }\n}\n`;
    expect((await reading('a.js', code)).blocks.map(({ heading }) => heading)).toEqual([
      ['function outer()'],
      ['function outer()', 'function inner()'],
    ]);
  });

  test('two on a line are two blocks', async () => {
    expect(await outline('a.js', 'function a(){}function b(){}')).toEqual([
      'function a() > function a(){}',
      'function b() > function b(){}',
    ]);
  });

  test('of broken code: what still is a definition, and what looks like one', async () => {
    const code = `function first() {\n  return 1;\n}\n\nclass {{ \n\nfunction second() {\n  return 2;\n`;
    const headings = (await reading('a.js', code)).blocks.map(({ heading }) => heading?.at(-1));
    expect(headings).toEqual(expect.arrayContaining(['function first()', 'function second()']));
    expect((await reading('a.rb', 'def size\n  x\n}\n')).blocks[0]?.heading).toEqual(['def size']);
  });
});

describe.each(Object.entries(samples))('blocks of %s', (name, sample) => {
  test('hold everything, whatever is cut off or put together', async () => {
    await expectWhole(name, sample);
    await expectWhole(name, sample.replaceAll('\n', '\r\n'));
    await expectWhole(name, sample.replaceAll('\n', '\r'));
    const texts = Object.values(samples);
    const piece = fc
      .tuple(fc.constantFrom(sample, sample, ...texts), fc.nat(300), fc.nat(300))
      .map(([text, from, length]) => [...text].slice(from, from + length).join(''));
    const noise = fc.constantFrom('{', '}', '(', '"', "'", '`', '/*', '\n', '\n\n', 'end', '🐝', '<<A', '\ufeff', '\t');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, noise), { minLength: 1, maxLength: 6 }), async (pieces) => {
        await expectWhole(name, `x${pieces.join('')}`);
      }),
      { numRuns: 60 },
    );
  });
});

describe('limits', () => {
  test('a program of more than a million characters is split by lines', async () => {
    const long = `def f():\n  return 1\n\n${'x = 1\n'.repeat(170_000)}`;
    const { blocks, notes } = await reading('a.py', long);
    expect(blocks[0]?.heading).toEqual(['def f()']);
    expect(notes).toEqual([]);
  });

  test('what takes long to parse is split by lines, which is noted, and the next file is parsed', async () => {
    const { notes } = await reading('a.sh', 'a(b[c{'.repeat(100_000));
    expect(notes).toEqual(['split by lines: parsing takes more than 2 seconds']);
    expect((await reading('a.sh', samples['a.sh']!)).blocks.at(-1)?.heading).toEqual(['function open_hive']);
  }, 30_000);

  test.each(['(', '{', '[', 'class A { ', '-', '"\n', 'a<'])(
    '%s many times',
    async (unit) => {
      for (const name of ['a.js', 'a.py', 'a.cpp']) await expectWhole(name, unit.repeat(60_000 / unit.length));
    },
    60_000,
  );
});

test('memory does not grow with the number of files', async () => {
  const long = samples['a.ts']!.repeat(100);
  const read = async (times: number) => {
    for (let i = 0; i < times; i++) await reading('a.ts', long);
    return process.memoryUsage.rss();
  };
  const before = await read(50);
  // A tree of this text takes more than a megabyte.
  expect(await read(300)).toBeLessThan(before + 100_000_000);
}, 60_000);
