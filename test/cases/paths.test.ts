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
  ];
  const root = await makeTree(Object.fromEntries(names.map((name) => [name, `In ${name}`])));
  const { files, paths, skips } = await walked(root);
  expect(paths).toEqual([...names].sort());
  expect(skips).toEqual([]);
  for (const file of files) {
    const read = await readDocument(file);
    expect('document' in read && read.document.text).toBe(`In ${file.path.slice(root.length + 1)}`);
  }
});

test('FR-034 FR-036 keys of Windows paths have forward slashes and one case of the drive letter', () => {
  expect(pathKey('C:\\notes\\boats\\a.md', true)).toBe('C:/notes/boats/a.md');
  expect(pathKey('c:/notes/a.md', true)).toBe('C:/notes/a.md');
  expect(pathKey('\\\\server\\share\\a.md', true)).toBe('//server/share/a.md');
  expect(pathKey('/notes/a\\b.md', false)).toBe('/notes/a\\b.md');
});

test('FR-037 brackets and stars in paths are no patterns', async () => {
  const name = 'src/(app)/[id]/{a,b}/**/page.md';
  const root = await makeTree({ [name]: 'a', 'src/i/page.md': 'b' });
  expect((await walked(root)).paths).toEqual([name, 'src/i/page.md']);
  expect((await walked(`${root}/src/(app)/[id]`)).files.map(({ path }) => path)).toEqual([`${root}/${name}`]);
});
