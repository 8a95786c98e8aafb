import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';
import { readMarkdown } from '../../src/files/markdown.js';

const cut = (text: string, size: number) =>
  chunkText(text, readMarkdown(text).blocks, { size }).map((span) => ({
    ...span,
    text: text.slice(span.start, span.end),
  }));

test('FR-066 a long table is cut between rows, and each part knows its header', () => {
  const header = '| boat | port | crew | year |';
  const rows = Array.from({ length: 64 }, (_, at) => `| boat ${at} | port ${at % 5} | ${at} | ${1900 + at} |`);
  const text = `# Boats\n\nAll of them.\n\n${header}\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\nThat is all.`;
  const chunks = cut(text, 150);
  expect(chunks.length).toBeGreaterThan(5);
  const [first, ...others] = chunks;
  expect(first).not.toHaveProperty('header');
  expect(first!.text).toContain(header);
  for (const chunk of others) {
    expect(chunk.header).toBe(header);
    expect(chunk.text).toMatch(/^\| boat \d+ \|/);
    expect(chunk.text).not.toContain(header);
  }
  const whole = chunks.flatMap((chunk) => chunk.text.split('\n')).filter((line) => line.startsWith('| boat '));
  expect(whole.slice(1)).toEqual(rows);
});

test('a row over the size is cut like prose, under its header unless that leaves no room', () => {
  const row = `| ${'a word and more. '.repeat(60)}| end |`;
  const text = `| text | note |\n|---|---|\n${row}\n| last | row |`;
  const chunks = cut(text, 60);
  expect(chunks.length).toBeGreaterThan(4);
  expect(chunks.slice(1).every(({ header }) => header === '| text | note |')).toBe(true);
  const wide = `| ${'name '.repeat(50)}| b |\n|---|---|\n| x | y |\n| ${'z '.repeat(90)} | y |`;
  expect(cut(wide, 60).every((chunk) => !('header' in chunk))).toBe(true);
});

test('FR-068 what looks like a heading inside of a fence is none', () => {
  for (const [open, close] of [
    ['```python', '```'],
    ['~~~', '~~~~'],
    ['````md', '````'],
  ]) {
    const text = `# Guide\n\n${open}\n# build it\n\`\`\`x\nmake()\n${close}\n\nText below.`;
    const chunks = cut(text.replace(open === '```python' ? '```x\n' : '', ''), 320);
    expect(chunks).toMatchObject([{ heading: ['Guide'] }]);
  }
});

test('FR-069 a long fence is cut between lines, and no chunk is fence marks alone', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `  total += weigh(crates[${at}]);`);
  for (const mark of ['```', '~~~~'])
    for (const size of [20, 40, 100, 150]) {
      const text = `# Code\n\nSee:\n\n${mark}js\n${lines.join('\n')}\n${mark}\n\nDone.`;
      const chunks = cut(text, size);
      expect(chunks.length).toBeGreaterThan(3);
      for (const chunk of chunks) expect(chunk.text).toMatch(/weigh\(|Done/);
      const held = chunks.flatMap((chunk) => chunk.text.split('\n')).filter((line) => line.includes('weigh'));
      expect(held.map((line) => line.trim())).toEqual(lines.map((line) => line.trim()));
    }
});

test('a fence that fits stays whole', () => {
  const fence = `\`\`\`\n${'step();\n'.repeat(12)}\`\`\``;
  const text = `# One\n\n${'Some words before it. '.repeat(12)}\n\n${fence}\n\nAfter.`;
  expect(cut(text, 80).some((chunk) => chunk.text.includes(fence))).toBe(true);
});

test('a heading is not the end of a chunk when something follows it', () => {
  const words = (count: number) => 'Words are here. '.repeat(count).trim();
  for (let count = 1; count < 60; count++) {
    const text = `# Top\n\n${words(count)}\n\n## Next\n\n### Deeper\n\n${words(30)}\n\n## Last\n\n${words(3)}`;
    for (const chunk of cut(text, 100)) expect(chunk.text.split('\n').at(-1)).not.toMatch(/^#/);
  }
});
