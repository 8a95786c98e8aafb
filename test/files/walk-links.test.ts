import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { link, makeTree, walked } from './tree.js';

const follow = { followLinks: true };

describe('links that are followed', () => {
  test('give the path through the link, last, in order; also out of the root and over several links', async () => {
    const root = await makeTree({
      'far/a.md': 'a',
      'far/deep/b.md': 'b',
      'one.md': '1',
      'near/z.md': 'z',
      'near/alias.md': link('../one.md'),
      'near/far': link('../hop'),
      hop: link('far'),
    });
    const { paths, files, skips } = await walked(join(root, 'near'), follow);
    expect(paths).toEqual(['z.md', 'alias.md', 'far/a.md', 'far/deep/b.md']);
    expect(skips).toEqual([]);
    expect(files[1]).toMatchObject({ location: join(root, 'near', 'alias.md'), size: 1 });
  });

  test('to what has a path without them, or one through fewer folders, add nothing and are reported', async () => {
    const root = await makeTree({
      'near/a/real.md': 'r',
      'near/a/x.md': link('real.md'),
      'near/aa': link('zz'),
      'near/zz/b.md': 'b',
      'near/deep/er/out': link('../../../far'),
      'near/out': link('../far'),
      'far/c.md': 'c',
      'far/sub/d.md': 'd',
    });
    expect(await walked(join(root, 'near'), follow)).toMatchObject({
      paths: ['a/real.md', 'zz/b.md', 'out/c.md', 'out/sub/d.md'],
      skipped: { 'a/x.md': 'link', aa: 'link', 'deep/er/out': 'link' },
    });
  });

  test('end in cycles, however they are closed', async () => {
    const root = await makeTree({
      'a/b/c.md': 'c',
      'a/b/up': link('..'),
      'a/self': link('.'),
      x: link('y'),
      y: link('x'),
      'p/to': link('../q'),
      'q/to': link('../p'),
      'q/d.md': 'd',
    });
    expect(await walked(root, follow)).toMatchObject({
      paths: ['a/b/c.md', 'q/d.md'],
      skipped: {
        'a/b/up': 'link',
        'a/self': 'link',
        x: 'unreadable',
        y: 'unreadable',
        'p/to': 'link',
        'q/to': 'link',
      },
    });
    const from = await walked(join(root, 'p'), follow);
    expect(from).toMatchObject({ paths: ['to/d.md'], skipped: { 'to/to': 'link' } });
  });

  test('a part of what another link shows comes once', async () => {
    const root = await makeTree({
      'far/deep/a.md': 'a',
      'far/b.md': 'b',
      'near/1': link('../far/deep'),
      'near/2': link('../far'),
    });
    const { paths, skips } = await walked(join(root, 'near'), follow);
    expect(paths).toEqual(['1/a.md', '2/b.md']);
    expect(skips).toEqual([]);
  });

  test('that are broken or lead to no file are reported, and the rest goes on', async () => {
    const root = await makeTree({
      'a.md': 'a',
      'gone.md': link('nowhere.md'),
      'through.md': link('a.md/b'),
      'null.md': link('/dev/null'),
      'z.md': 'z',
    });
    const { paths, skips } = await walked(root, follow);
    expect(paths).toEqual(['a.md', 'z.md']);
    expect(skips.map(({ path, reason, detail }) => [path.slice(root.length + 1), reason, detail])).toEqual([
      ['gone.md', 'unreadable', 'the link leads to nothing'],
      ['null.md', 'special', 'a device, socket or pipe'],
      ['through.md', 'unreadable', 'the link leads to nothing'],
    ]);
  });

  test('obey what holds for their own names and paths', async () => {
    const root = await makeTree({
      'near/.gitignore': 'private/\nsecret.md\n',
      'near/.way': link('../far'),
      'near/node_modules': link('../far'),
      'near/private': link('../far'),
      'near/secret.md': link('../far/a.md'),
      'near/skipped': link('../far'),
      'near/taken': link('../far'),
      'far/a.md': 'a',
      'far/a.txt': 'a',
      'far/.ignore': 'b.md',
      'far/b.md': 'b',
    });
    const { paths, skipped } = await walked(join(root, 'near'), { ...follow, exclude: ['skipped', 'taken/*.txt'] });
    expect(paths).toEqual(['taken/a.md']);
    expect(skipped).toMatchObject({
      '.way': 'hidden',
      node_modules: 'vendored',
      private: 'ignored',
      'secret.md': 'ignored',
      skipped: 'excluded',
      'taken/a.txt': 'excluded',
      'taken/b.md': 'ignored',
    });
  });

  test('below one root do not take away from another', async () => {
    const root = await makeTree({ 'a/x.md': 'x', 'a/y.txt': 'y', 'b/way': link('../a') });
    const { files } = await walked([join(root, 'a/*.md'), join(root, 'b')], follow);
    expect(files.map(({ path }) => path.slice(root.length + 1))).toEqual(['a/x.md', 'b/way/y.txt']);
  });
});

test('links that are not followed are counted each, wherever they lead, and nothing of theirs is found', async () => {
  const root = await makeTree({ 'far/a.md': 'a', 'near/b.md': 'b', 'near/x': link('../far'), 'near/y': link('gone') });
  const { paths, skips } = await walked(join(root, 'near'));
  expect(paths).toEqual(['b.md']);
  expect(skips.map(({ reason }) => reason)).toEqual(['link', 'link']);
});

test('many links to many folders within each other end soon', async () => {
  const files: Record<string, string | { to: string }> = {};
  for (let at = 0; at < 40; at++) {
    files[`${'d/'.repeat(at)}a${at}.md`] = 'a';
    for (let to = 0; to < 40; to += 4)
      files[`${'d/'.repeat(at)}l${to}`] = link(`${'../'.repeat(at)}${'d/'.repeat(to)}.`);
  }
  const root = await makeTree(files);
  const { paths, skips } = await walked(root, follow);
  expect(paths).toHaveLength(40);
  expect(skips).toHaveLength(400);
});
