import { expect, test } from 'vitest';
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
  await expect(walked(root, { maxFiles: 2 })).rejects.toThrow('.surmiseignore');
});
