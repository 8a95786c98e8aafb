import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isUnder, openRoot } from '../../src/files/root.js';
import { link, makeTree, walked } from './tree.js';

const tree = {
  'notes/a.md': 'a',
  'notes/a.txt': 'a',
  'notes/deep/er/b.md': 'b',
  'notes/.hidden/c.md': 'c',
  'notes/node_modules/d.md': 'd',
  'notes/private/.gitignore': '*',
  'notes/private/e.md': 'e',
  'other/f.md': 'f',
};

async function found(given: (root: string) => string | string[], files: Parameters<typeof makeTree>[0] = tree) {
  const root = await makeTree(files);
  const { files: list, skips } = await walked([given(root)].flat());
  const short = (path: string) => path.slice(root.length + 1);
  return { paths: list.map(({ path }) => short(path)), skips: skips.map(({ path }) => short(path)) };
}

describe('a glob as a root', () => {
  test('filters what a walk of its folder finds; what it can not fit is not reported', async () => {
    expect(await found((root) => `${root}/notes/**/*.md`)).toEqual({
      paths: ['notes/a.md', 'notes/deep/er/b.md'],
      skips: ['notes/.hidden', 'notes/node_modules', 'notes/private/e.md'],
    });
    expect(await found((root) => `${root}/*/*.md`)).toEqual({
      paths: ['notes/a.md', 'other/f.md'],
      skips: [],
    });
    expect((await found((root) => `${root}/notes/*.{md,txt}`)).paths).toEqual(['notes/a.md', 'notes/a.txt']);
  });

  test('that fits a folder takes what is in it, as if a shell had named the folder', async () => {
    expect((await found((root) => `${root}/not*`)).paths).toEqual(['notes/a.md', 'notes/a.txt', 'notes/deep/er/b.md']);
    expect((await found((root) => `${root}/notes/*/`)).paths).toEqual(['notes/deep/er/b.md']);
  });

  test('starts after folders that are there, hidden ones too', async () => {
    expect((await found((root) => `${root}/notes/.hidden/*.md`)).paths).toEqual(['notes/.hidden/c.md']);
    expect((await found((root) => `${root}/other/../notes/./*.md`)).paths).toEqual(['notes/a.md']);
  });

  test('beside other roots gives a file once', async () => {
    const { paths } = await found((root) => [`${root}/notes/*.md`, `${root}/notes`, `${root}/**/f.md`]);
    expect(paths).toEqual(['notes/a.md', 'notes/a.txt', 'notes/deep/er/b.md', 'other/f.md']);
  });

  test('says so when it matches nothing, before anything is walked', async () => {
    const root = await makeTree(tree);
    for (const name of ['*.pdf', 'notes/private/*', 'gone/*.md', 'notes/*/*/*/*', 'a?.md', '**/[x].md']) {
      const given = join(root, name);
      await expect(walked([root, given]), name).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringContaining(`${given} matches nothing`),
      });
      await expect(openRoot(given)).rejects.toMatchObject({ code: 'unreadable' });
    }
    await expect(walked(join(root, 'gone.md'))).rejects.toThrow('there is no such file');
    await expect(walked(join(root, '*/[z-a].md'))).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('is found behind links only where they are followed', async () => {
    const root = await makeTree({ 'far/a.md': 'a', 'near/b.txt': 'b', 'near/way': link('../far') });
    const given = join(root, 'near/*/*.md');
    await expect(openRoot(given)).rejects.toThrow('behind links');
    expect((await walked(given, { followLinks: true })).files[0]!.path).toBe(`${root}/near/way/a.md`);
  });

  test('knows the files that it may give', async () => {
    const root = await makeTree(tree);
    const md = await openRoot(join(root, 'notes/**/*.md'));
    expect(md).toMatchObject({ path: `${root}/notes`, folder: true });
    expect(isUnder(md, `${root}/notes/gone/x.md`)).toBe(true);
    for (const path of ['notes/x.txt', 'notes', 'other/f.md', 'notes2/x.md'])
      expect(isUnder(md, `${root}/${path}`), path).toBe(false);
    const folder = await openRoot(join(root, 'not*'));
    expect(isUnder(folder, `${root}/notes/any/thing`)).toBe(true);
    expect(isUnder(folder, `${root}/other/f.md`)).toBe(false);
    const plain = await openRoot(join(root, 'notes'));
    expect(isUnder(plain, `${root}/notes`)).toBe(true);
    expect(isUnder(plain, `${root}/notes/x`)).toBe(true);
    expect(isUnder(plain, `${root}/notes2`)).toBe(false);
    expect(isUnder(await openRoot('/'), '/etc')).toBe(true);
  });
});

describe('include and exclude', () => {
  const files = {
    'a.md': 'a',
    'b.txt': 'b',
    'drafts/c.md': 'c',
    'sub/drafts/d.md': 'd',
    'sub/e.md': 'e',
    'sub/deep/f.md': 'f',
  };

  test('names without a slash at any depth, paths from the root on, folders with all that is in them', async () => {
    const root = await makeTree(files);
    const by = async (exclude: string[]) => (await walked(root, { exclude })).paths;
    expect(await by(['drafts'])).toEqual(['a.md', 'b.txt', 'sub/deep/f.md', 'sub/e.md']);
    expect(await by(['/drafts/', '*.txt'])).toEqual(['a.md', 'sub/deep/f.md', 'sub/drafts/d.md', 'sub/e.md']);
    expect(await by(['sub/**'])).toEqual(['a.md', 'b.txt', 'drafts/c.md']);
    expect(await by(['a.md/'])).toContain('a.md');
    expect(await by([])).toHaveLength(6);
  });

  test('what is not included is reported, a folder that can hold nothing of it once', async () => {
    const root = await makeTree(files);
    expect(await walked(root, { include: ['sub/*.md', 'b.*'], exclude: ['e.md'] })).toMatchObject({
      paths: ['b.txt'],
      skipped: {
        'a.md': 'excluded',
        'drafts/c.md': 'excluded',
        'sub/deep/f.md': 'excluded',
        'sub/drafts/d.md': 'excluded',
        'sub/e.md': 'excluded',
      },
    });
    const { paths, skips } = await walked(root, { include: ['sub/deep', 'sub/*.md'] });
    expect(paths).toEqual(['sub/deep/f.md', 'sub/e.md']);
    expect(skips.map(({ path }) => path.slice(root.length + 1))).toEqual(['a.md', 'b.txt', 'drafts', 'sub/drafts']);
    expect(skips[0]!.detail).toBe('not among what is included: sub/deep, sub/*.md');
    expect((await walked(root, { include: [] })).paths).toHaveLength(6);
  });

  test('hold for files that are roots, by their names, and together with a glob', async () => {
    const root = await makeTree(files);
    const roots = ['a.md', 'b.txt', 'sub/*'].map((name) => join(root, name));
    const { files: list, skips } = await walked(roots, { include: ['*.md', 'b.*'], exclude: ['b.txt', 'drafts'] });
    expect(list.map(({ path }) => path.slice(root.length + 1))).toEqual(['a.md', 'sub/deep/f.md', 'sub/e.md']);
    expect(skips.map(({ path, detail }) => [path.slice(root.length + 1), detail])).toEqual([
      ['b.txt', '"b.txt" excludes it'],
      ['sub/drafts', '"drafts" excludes it'],
    ]);
  });

  test('an excluded folder is not opened', async (context) => {
    if (process.platform === 'win32') context.skip('Windows has no pipes among its files');
    const root = await makeTree({ ...files, 'drafts/.gitignore': link('/dev/zero') });
    expect((await walked(root, { exclude: ['drafts'] })).skipped).toEqual({
      drafts: 'excluded',
      'sub/drafts': 'excluded',
    });
  });

  test('a pattern that can not be understood stops the walk before it starts', async () => {
    const root = await makeTree(files);
    for (const options of [{ include: ['!a'] }, { exclude: ['../x'] }, { exclude: [''] }])
      await expect(walked(root, options)).rejects.toMatchObject({ code: 'bad_argument' });
  });
});
