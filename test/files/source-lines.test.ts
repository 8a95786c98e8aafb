import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksByLines } from '../../src/files/source-lines.js';

function outline(text: string): string[] {
  return blocksByLines(text).map(({ start, end, heading = [] }) => [...heading, text.slice(start, end)].join(' > '));
}

test('definitions are headings, comments above them belong to them', () => {
  const code = [
    "import { a } from 'a';",
    '',
    '/** Counts. */',
    'export function count(list: string[]): number {',
    '  const n = 0;',
    '',
    '  return n;',
    '}',
    '// Then',
    'export const twice = (n: number) => {',
    '  return 2 * n;',
    '};',
    '',
    'run();',
  ].join('\n');
  const count = 'export function count(list: string[]): number';
  expect(outline(code)).toEqual([
    "import { a } from 'a';",
    `${count} > /** Counts. */\nexport function count(list: string[]): number {\n  const n = 0;`,
    `${count} >   return n;\n}`,
    'export const twice = (n: number) => > // Then\nexport const twice = (n: number) => {\n  return 2 * n;\n};',
    'run();',
  ]);
});

test('methods stand below their class', () => {
  const code =
    'class Hive:\n    """Bees."""\n\n    @cached\n    def size(self):\n        return 1\n\n\nprint(Hive())\n';
  expect(outline(code)).toEqual([
    'class Hive > class Hive:\n    """Bees."""',
    'class Hive > def size(self) >     @cached\n    def size(self):\n        return 1',
    'print(Hive())',
  ]);
});

test.each([
  ['Go', 'func (h *Hive) Size() int {', 'func (h *Hive) Size() int'],
  ['Rust', 'pub(crate) async fn size(&self) -> u32 {', 'pub(crate) async fn size(&self) -> u32'],
  ['C', 'static int size(struct hive *h)', 'static int size(struct hive *h)'],
  ['Ruby', 'def size', 'def size'],
  ['Java', 'public final class Hive {', 'public final class Hive'],
  ['SQL', 'CREATE TABLE hive (', 'CREATE TABLE hive'],
])('a definition in %s', (_, line, heading) => {
  expect(blocksByLines(`${line}\n  x\n}\n`)[0]?.heading).toEqual([heading]);
});

test('a long heading is cut between characters', () => {
  const [block] = blocksByLines(`class ${'a'.repeat(113)}🐝`);
  expect(block?.heading).toEqual([`class ${'a'.repeat(113)}`]);
});

test('blocks hold every character that is not white space, in linear time', () => {
  const line = fc.constantFrom(
    'def f():',
    '  x = 1',
    '',
    '# note',
    'class A {',
    '}',
    '\tfn g() {',
    'export const a = (',
    '"""',
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const text = `x\n${lines.join('\n')}`;
      const blocks = blocksByLines(text);
      const held = blocks.map(({ start, end }) => text.slice(start, end)).join('');
      expect(held.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      expect(blocks.every(({ start }, index) => start >= (blocks[index - 1]?.end ?? 0))).toBe(true);
    }),
  );
  expect(blocksByLines(`${'# note\n'.repeat(200_000)}def f(): pass\n`).length).toBeGreaterThan(0);
  expect(outline(`${' '.repeat(1_000)}x`)).toEqual([`${' '.repeat(1_000)}x`]);
});
