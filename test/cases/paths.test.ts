import { join, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { pathKey } from '../../src/files/path-key.js';
import { readDocument } from '../../src/files/read.js';
import { makeTree, walked } from '../files/tree.js';

test('FR-032 FR-033 files with odd names are found and read', async () => {
  const names = [
    '+.md',
    '5" disk \\ plan.md',
    "it's.md",
    'two\nlines.md',
    '🛶.md',
    'dot..md',
    'CON.md',
    ' a .md',
    '#!*.md',
    '%20.md',
    '-rf.md',
    '--help.md',
    '[id].md',
    '{a,b}.md',
    '(app) "x" `y` $z.md',
    '\u{1F469}\u200D\u{1F680}.md',
    'zo\u0308e.md',
    `${'long'.repeat(62)}.md`,
    '\r\t.md',
  ];
  const root = await makeTree(Object.fromEntries(names.map((name) => [name, `In ${name}`])));
  const { files, paths, skips } = await walked(root);
  expect(paths).toEqual([...names].sort().map((name) => name.normalize('NFC')));
  expect(skips).toEqual([]);
  for (const file of files) {
    const read = await readDocument(file);
    expect('document' in read && read.document.text).toBe(`In ${file.location.slice(root.length + 1)}`);
  }
  // Each given by its name, and from a glob.
  for (const name of names) {
    const { files } = await walked(join(root, name));
    expect(files.map(({ location }) => location)).toEqual([join(root, name)]);
  }
  expect((await walked(`${root}/*.md`)).files).toHaveLength(names.length);
});

test('FR-034 FR-036 keys of Windows paths have forward slashes and one case of the drive letter', () => {
  expect(pathKey('C:\\notes\\boats\\a.md', true)).toBe('C:/notes/boats/a.md');
  expect(pathKey('c:/notes/a.md', true)).toBe('C:/notes/a.md');
  expect(pathKey('\\\\server\\share\\a.md', true)).toBe('//server/share/a.md');
  expect(pathKey('\\\\?\\c:\\deep\\a.md', true)).toBe('C:/deep/a.md');
  expect(pathKey('\\\\?\\UNC\\server\\share\\a.md', true)).toBe('//server/share/a.md');
  expect(pathKey('c:\\', true)).toBe('C:/');
  expect(pathKey(win32.resolve('D:\\a', '..\\notes\\.\\b.md'), true)).toBe('D:/notes/b.md');
  expect(pathKey('/notes/a\\b.md', false)).toBe('/notes/a\\b.md');
  expect(pathKey('c:/notes', false)).toBe('c:/notes');
});

test('FR-037 brackets and stars in paths are no patterns', async () => {
  const name = 'src/(app)/[id]/{a,b}/**/page.md';
  const root = await makeTree({ [name]: 'a', 'src/i/page.md': 'b' });
  expect((await walked(root)).paths).toEqual([name, 'src/i/page.md']);
  expect((await walked(`${root}/src/(app)/[id]`)).files.map(({ path }) => path)).toEqual([`${root}/${name}`]);
});

test('FR-037 a name with the signs of a pattern is itself where it exists, and around a pattern too', async () => {
  const root = await makeTree({
    'i/a.md': 'a',
    '[id]/a.md': 'a',
    '[id]/b.txt': 'b',
    'plain.md': 'p',
    '*.md': 's',
    'new\n[x]*/{c,d}.md': 'c',
    'new\n[x]*/c.md': 'c',
  });
  const given = async (path: string) =>
    (await walked(`${root}/${path}`)).files.map((file) => file.path.slice(root.length + 1));
  expect(await given('[id]')).toEqual(['[id]/a.md', '[id]/b.txt']);
  expect(await given('[id]/*.md')).toEqual(['[id]/a.md']);
  expect(await given('*.md')).toEqual(['*.md']);
  expect(await given('*n.md')).toEqual(['plain.md']);
  expect(await given('new\n[x]*/{c,d}.md')).toEqual(['new\n[x]*/{c,d}.md']);
  expect(await given('new\n[x]*/?.md')).toEqual(['new\n[x]*/c.md']);
  expect(await given('*d]/*.md')).toEqual(['[id]/a.md']);
  expect(await given('[i]/*.md')).toEqual(['i/a.md']);
});
