import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { isWildRule, wildRule } from '../../src/files/wild-rule.js';
import { makeTree, walked } from './tree.js';

test('lines with many stars are told from others', () => {
  for (const line of ['*a*b*', 'x/**/y/**/z', '**/**', '!*-*-*.log']) expect(isWildRule(line), line).toBe(true);
  for (const line of ['*.log', '*a*', '**/build', 'a/*/b/*/c/*', '# * * * *', ''])
    expect(isWildRule(line), line).toBe(false);
});

describe('a line with many stars', () => {
  const part = fc.constantFrom('a', 'b', '*', '**', '?', 'a*', '*b*', '[ab]', '[!a]', '{a,b}', '\\*', '*a*b*');
  const line = fc
    .tuple(
      fc.constantFrom('', '!', '/', '!/'),
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '/', '  ', ' \\ '),
    )
    .map(([start, parts, end]) => start + parts.join('/') + end);
  const path = fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'ab', 'abb', '*', '{a,b}', 'b '), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '/'),
    )
    .map(([names, end]) => names.join('/') + end);

  test('says of an entry what the library says', () => {
    fc.assert(
      fc.property(line, path, (rule, entry) => {
        const { ignored, unignored } = wildRule(rule).test(entry);
        const expected = ignore().add(rule).test(entry);
        // The library asks of the folders around it as well, into which a walk would not come.
        const around = entry.replace(/\/$/, '').split('/').slice(0, -1);
        const byFolder = around.some((_, at) => {
          const said = wildRule(rule).test(`${around.slice(0, at + 1).join('/')}/`);
          return said.ignored || said.unignored;
        });
        if (byFolder) return;
        expect({ ignored, unignored }).toEqual({ ignored: expected.ignored, unignored: expected.unignored });
      }),
      { numRuns: 3_000 },
    );
  });

  test('is quick, and keeps its place among the others', async () => {
    const long = 'a'.repeat(200);
    const { paths } = await walked(
      await makeTree({
        '.gitignore': `*.md\r\n!*k*e*p*t*.md\r\nlost-kept.md\r\n${'*a'.repeat(16)}b\n`,
        'k-e-p-t.md': 'x',
        'lost-kept.md': 'x',
        'other.md': 'x',
        [`${long}.txt`]: 'x',
      }),
    );
    expect(paths).toEqual([`${long}.txt`, 'k-e-p-t.md']);
  });
});

test('a rule that is too long makes its folder unreadable, by name of the file', async () => {
  const { skips } = await walked(await makeTree({ '.gitignore': '*a'.repeat(600), 'b.md': 'x' }));
  expect(skips).toEqual([
    expect.objectContaining({ reason: 'unreadable', detail: expect.stringMatching(/\.gitignore.*longer than 1000/) }),
  ]);
  const many = await walked(await makeTree({ '.ignore': '*a*b*c*\n'.repeat(3_000), 'b.md': 'x' }));
  expect(many.skips[0]?.detail).toMatch(/\.ignore.*more than 20000 characters/);
});
