import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { surmise } from '../cli/surmise.js';
import { makeWorkspace } from '../cli/workspace.js';
import { makeTree, walked } from '../files/tree.js';

test('FR-043 ignore files of sub-folders, negation and an own ignore file are honoured', async () => {
  const root = await makeTree({
    '.gitignore': '*.log\n/top.md\ndrafts/*\n!drafts/keep.md\n',
    '.surmiseignore': 'private/\n!loud.log\n',
    'a.log': '',
    'loud.log': 'l',
    'top.md': 't',
    'drafts/a.md': 'a',
    'drafts/keep.md': 'k',
    'private/a.md': 'p',
    'web/.gitignore': 'output/\n!b.log\n/only.md\n',
    'web/b.log': 'b',
    'web/c.log': 'c',
    'web/output/d.md': 'd',
    'web/only.md': 'o',
    'web/top.md': 'w',
    'web/sub/only.md': 's',
  });
  const { paths, skipped } = await walked(root);
  expect(paths).toEqual(['drafts/keep.md', 'loud.log', 'web/b.log', 'web/sub/only.md', 'web/top.md']);
  const ignored = Object.keys(skipped).filter((path) => skipped[path] === 'ignored');
  expect(ignored.sort()).toEqual([
    'a.log',
    'drafts/a.md',
    'private',
    'top.md',
    'web/c.log',
    'web/only.md',
    'web/output',
  ]);
});

test('FR-043 of several files in a folder, and of those around it, the later and the inner one decides', async () => {
  const root = await makeTree({
    '.git/info/exclude': '*.log\n',
    '.gitignore': '*.txt\n!a.log\n',
    '.ignore': '*.rst\n!keep.txt\n',
    '.surmiseignore': '!b.rst\n!c.log\n/d.md\n',
    'a.log': 'a',
    'b.log': 'b',
    'b.rst': 'b',
    'c.log': 'c',
    'c.rst': 'c',
    'd.md': 'd',
    'keep.txt': 'k',
    'x.txt': 'x',
    'sub/.ignore': '!*.txt\n*.md\n',
    'sub/.surmiseignore': '!d.md\n',
    'sub/b.rst': 'b',
    'sub/d.md': 'd',
    'sub/e.md': 'e',
    'sub/x.txt': 'x',
    'sub/sub/c.rst': 'c',
    'sub/sub/e.md': 'e',
    'sub/sub/x.txt': 'x',
  });
  expect((await walked(root)).paths).toEqual([
    'a.log',
    'b.rst',
    'c.log',
    'keep.txt',
    'sub/b.rst',
    'sub/d.md',
    'sub/sub/x.txt',
    'sub/x.txt',
  ]);
});

test('FR-043 rules hold for names in either Unicode form', async () => {
  const [composed, decomposed] = ['geh\u00e4usen.md', 'geha\u0308usen.md'];
  for (const [rule, name] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const)
    expect((await walked(await makeTree({ '.gitignore': rule, [name]: 'a', 'b.md': 'b' }))).paths).toEqual(['b.md']);
});

test('FR-044 info/exclude is honoured, further worktrees are left out, and the number of files has a limit', async () => {
  const root = await makeTree({
    '.git/info/exclude': 'heap/\n',
    'heap/a.md': 'a',
    'b.md': 'b',
    'tree/.git': 'gitdir: /elsewhere/.git/worktrees/tree\n',
    'tree/b.md': 'b',
    'module/.git': 'gitdir: ../.git/modules/module\n',
    'module/c.md': 'c',
    'repository/.git/info/exclude': 'd.md',
    'repository/d.md': 'd',
    'repository/e.md': 'e',
  });
  const { paths, skipped } = await walked(root);
  expect(paths).toEqual(['b.md', 'module/c.md', 'repository/e.md']);
  expect(skipped).toMatchObject({ heap: 'ignored', tree: 'worktree', 'repository/d.md': 'ignored' });
  expect((await walked(`${root}/tree`)).paths).toEqual(['b.md']);
  await expect(walked(root, { maxFiles: 2 })).rejects.toThrow(/\.surmiseignore.*--max-files/);
});

test('FR-046 a file that becomes ignored is found no more by the command line', async () => {
  const home = await makeWorkspace({
    'notes/lock.md': 'The lock keeper opens the gate at noon.',
    'notes/diary.md': 'My diary about the lock keeper.',
  });
  const run = async (args: string[]) => {
    const { code, stdout, stderr } = await surmise([...args, '--json'], { home });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const found = async () =>
    (await run(['search', 'lock keeper', '--mode', 'lexical'])).hits
      .map(({ path }: { path: string }) => basename(path))
      .sort();
  expect(await run(['index', 'notes'])).toMatchObject({ added: 2 });
  expect(await found()).toEqual(['diary.md', 'lock.md']);
  await writeFile(join(home, 'notes', '.surmiseignore'), 'diary.md\n');
  expect(await run(['index', 'notes'])).toMatchObject({ removed: 1, unchanged: 1 });
  expect(await found()).toEqual(['lock.md']);
});
