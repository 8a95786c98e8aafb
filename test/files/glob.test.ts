import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, looksLikeGlob } from '../../src/files/glob.js';
import { globStart, stepsOf } from '../../src/files/glob-root.js';

const fits = (pattern: string, file: string) => compileGlob(pattern, '/').fits(file.split('/'), false);

describe('what a glob fits', () => {
  test.each([
    ['*.md', 'a/b/c.md', true],
    ['/*.md', 'a/c.md', false],
    ['/*.md', 'c.md', true],
    ['./*.md', 'c.md', true],
    ['./*.md', 'a/c.md', false],
    ['a/*.md', 'a/c.md', true],
    ['a/*.md', 'b/a/c.md', false],
    ['**/a/*.md', 'b/a/c.md', true],
    ['a/**', 'a/b/c', true],
    ['a/**/c', 'a/c', true],
    ['*.{md,txt}', 'x.txt', true],
    ['{a,b/c}/*.md', 'b/c/x.md', true],
    ['[!a]*.md', 'b.md', true],
    ['[!a]*.md', 'ab.md', false],
    ['[[:digit:]].md', '3.md', true],
    ['?.md', 'ab.md', false],
    ['*', '.hidden', true],
    ['*.md', 'two\nlines.md', true],
    ['**/*.md', 'two\nlines/a.md', true],
    ['*(1).md', 'photo (1).md', true],
    ['+(a|b).md', 'ab.md', false],
    ['+(a|b)*', '+(a|b).md', true],
    ['"*".md', '"x".md', true],
    ['a"b*', 'a"bc', true],
    ['\\[x\\]*', '[x]1', true],
    ['\\!a*', '!ab', true],
    ['a/**', 'a', true],
    ['a**b', 'axb', true],
    ['a**b', 'a/b', false],
    ['**/*', 'a/b/c', true],
    ['a/**/**/c', 'a/c', true],
    ['a/**/c', 'a/b/xc', false],
    ['{a/**,b}/c', 'a/x/y/c', true],
    ['{a,{b,c}d}', 'cd', true],
    ['a{,b}', 'a', true],
    ['{a}', '{a}', true],
    ['{a\\,b,c}', 'a,b', true],
    ['{[,],b}', ',', true],
    ['a[', 'a[', true],
    ['[]a]', ']', true],
    ['[a/b]', 'a', false],
    ['a[^b]c', 'a/c', false],
    ['[\\]x]', ']', true],
    ['a-[0-9]?', 'a-7z', true],
    ['?', '\u{1F6B2}', true],
    ['[\u{1F6B0}-\u{1F6BF}]', '\u{1F6B2}', true],
    ['a\\', 'a\\', true],
    ['Caf\u00e9*'.normalize('NFD'), 'Caf\u00e9s'.normalize('NFC'), true],
  ])('%s and %s: %s', (pattern, file, expected) => {
    expect(fits(pattern, file)).toBe(expected);
  });

  test('a name without the signs of globs fits itself, and nothing that is longer', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) =>
      text
        .replace(/[\\/*?[\]{}!\0]/g, '_')
        .replace(/^\.+/, '')
        .normalize('NFC'),
    );
    fc.assert(
      fc.property(
        name.filter((text) => text !== ''),
        (text) => {
          expect(fits(text, text)).toBe(true);
          expect(fits(text, `${text}x`)).toBe(false);
          expect(fits(`d/${text}`, `d/${text}`)).toBe(true);
        },
      ),
    );
  });

  test.each(['*a'.repeat(16), '*'.repeat(400), '*?'.repeat(100), '{*a,*aa}'.repeat(40), '**/*a*a*a'.repeat(60)])(
    'many ways to fit take no long time: %s',
    (start) => {
      const glob = compileGlob(`${start}b`, '/');
      const from = performance.now();
      expect(glob.fits(['a'.repeat(255)], false)).toBe(false);
      expect(
        glob.fits(
          Array.from({ length: 1_000 }, () => 'a'),
          false,
        ),
      ).toBe(false);
      // Tried one after the other, they would take hours.
      expect(performance.now() - from).toBeLessThan(2_000);
    },
  );

  test('a slash at the end is for folders', () => {
    const glob = compileGlob('drafts/', '/');
    expect(glob.fits(['a', 'drafts'], true)).toBe(true);
    expect(glob.fits(['a', 'drafts'], false)).toBe(false);
  });

  test('a backslash separates on Windows alone', () => {
    expect(compileGlob('a\\*.md', '\\').fits(['a', 'b.md'], false)).toBe(true);
    expect(compileGlob('a\\*.md', '/').fits(['a*.md'], false)).toBe(true);
  });
});

test('folders that can hold nothing are known, in case of doubt not', () => {
  const held = (pattern: string, folder: string) => compileGlob(pattern, '/').mayHold(folder.split('/'));
  expect(held('/*.md', 'a')).toBe(false);
  expect(held('a/*/c.md', 'a')).toBe(true);
  expect(held('a/*/c.md', 'a/x')).toBe(true);
  expect(held('a/*/c.md', 'b')).toBe(false);
  expect(held('a/*/c.md', 'a/x/y')).toBe(false);
  expect(held('a/**/c.md', 'a/x/y/z')).toBe(true);
  expect(held('a/**/c.md', 'b')).toBe(false);
  expect(held('{a,b/c}/*.md', 'b')).toBe(true);
  expect(held('x/{a,{b,c}/d}', 'x/c')).toBe(true);
  expect(held('a/**', 'a/b')).toBe(true);
  expect(held('*.md', 'any')).toBe(true);
});

test('a folder that holds a file that fits may always hold it', () => {
  const part = fc.constantFrom('a', 'b', '*', '**', '?', '{a,b}', '[ab]', 'a*', '{a/b,b}', '{a,{b,a}/b}');
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  const names = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, names, (pattern, file) => {
      const glob = compileGlob(pattern.join('/'), '/');
      if (!glob.fits(file, false)) return;
      for (let depth = 1; depth < file.length; depth++) {
        const folder = file.slice(0, depth);
        expect(glob.mayHold(folder) || glob.fits(folder, true)).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each(['', '/', './', '!a.md', '../a', '[z-a].md', 'a{b', '{1..12}.md', '[[:word:]]', 'x'.repeat(1_001)])(
  'a pattern that can not be used is said to be so: %j',
  (pattern) => {
    expect(() => compileGlob(pattern, '/')).toThrow(expect.objectContaining({ code: 'bad_argument' }));
  },
);

test('what looks like a glob', () => {
  for (const glob of ['*.md', 'a?', '[id]/x', 'a.{md,txt}', 'two\n*']) expect(looksLikeGlob(glob), glob).toBe(true);
  for (const name of ['a.md', '(app)', 'a[', ']b[', '{', '+(x)', "it's", '']) expect(looksLikeGlob(name)).toBe(false);
});

describe('where a glob starts', () => {
  test('arguments of Windows and of other systems in steps', () => {
    const { win32, posix } = path;
    expect(stepsOf('C:\\notes\\**\\*.md', win32)).toEqual({ start: 'C:\\', names: ['notes', '**', '*.md'] });
    expect(stepsOf('c:/notes/*.md', win32)).toEqual({ start: 'c:/', names: ['notes', '*.md'] });
    expect(stepsOf('\\\\server\\share\\a\\*.md', win32)).toEqual({
      start: '\\\\server\\share\\',
      names: ['a', '*.md'],
    });
    expect(stepsOf('.\\notes\\*.md', win32)).toEqual({ start: '.', names: ['notes', '*.md'] });
    expect(stepsOf('/a//b/./*.md', posix)).toEqual({ start: '/', names: ['a', 'b', '*.md'] });
    expect(stepsOf('a\\*/b', posix)).toEqual({ start: '.', names: ['a\\*', 'b'] });
  });

  test('after the last folder that is there by its name', async () => {
    const there = ['C:\\n', 'C:\\n\\[id]'];
    const folderAt = async (folder: string) => (there.includes(folder) ? folder : undefined);
    expect(await globStart('C:\\n\\[id]\\*.md', folderAt, path.win32)).toEqual({
      folder: 'C:\\n\\[id]',
      pattern: '/*.md',
    });
    expect(await globStart('C:\\n\\*\\', folderAt, path.win32)).toEqual({ folder: 'C:\\n', pattern: '/*/' });
    expect(await globStart('C:\\gone\\*.md', folderAt, path.win32)).toEqual({ folder: 'C:\\', pattern: '/gone/*.md' });
  });
});
