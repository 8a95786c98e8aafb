import { execFileSync } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DiskPace } from '../../src/files/disk-pace.js';
import { readDocument } from '../../src/files/read.js';
import { openRoot } from '../../src/files/root.js';
import { skipReasons } from '../../src/files/skip.js';
import { walk } from '../../src/files/walk.js';
import { link, makeTree, walked } from './tree.js';

const noPipes = 'Windows has no pipes among its files';

describe('what is found', () => {
  test('files in order of their names, folder by folder, with size, time and root', async () => {
    const root = await makeTree({ 'b.md': 'b', 'a/z.txt': 'zz', 'a/Z.txt': '', 'a.md': 'a', 'a/b/c.md': 'c' });
    const { paths, files } = await walked(root);
    expect(paths).toEqual(['a/Z.txt', 'a/b/c.md', 'a/z.txt', 'a.md', 'b.md']);
    expect(files[2]).toEqual({
      path: `${root}/a/z.txt`,
      location: join(root, 'a', 'z.txt'),
      size: 2,
      modified: expect.any(Number),
    });
  });

  test('many files of a folder in order, what is left out reported among them', async () => {
    const name = (at: number) => `${String(at).padStart(3, '0')}.md`;
    const all = Array.from({ length: 200 }, (_, at) => name(at));
    const root = await makeTree(Object.fromEntries(all.map((file, at) => [file, 'x'.repeat(at % 70 === 69 ? 9 : 1)])));
    const seen: string[] = [];
    for await (const { path } of walk([await openRoot(root)], {
      maxBytes: 5,
      onSkip: ({ path }) => seen.push(`-${basename(path)}`),
    }))
      seen.push(basename(path));
    expect(seen).toEqual(all.map((file, at) => (at % 70 === 69 ? `-${file}` : file)));
  });

  test('a disk that is not quick is asked for many files side by side, with the same result', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `n${String(at).padStart(2, '0')}.md`);
    const root = await makeTree({
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
      'large.md': 'x'.repeat(9),
    });
    const slow: DiskPace = {
      quick: false,
      timed: () => {
        throw new Error('not at once');
      },
    };
    const found = await walked(root, { maxBytes: 5 }, slow);
    expect(found.paths).toEqual(names);
    expect(found.skipped).toEqual({ 'large.md': 'size' });
    expect(found).toEqual(await walked(root, { maxBytes: 5 }));
  });

  test('a root is taken whatever its name, and followed when it is a link', async () => {
    const root = await makeTree({
      'node_modules/a.md': 'a',
      '.hidden/b.md': 'b',
      '.note.md': 'n',
      way: link('node_modules'),
    });
    for (const name of ['node_modules', '.hidden', '.note.md', 'way']) {
      expect((await walked(join(root, name))).files, name).toHaveLength(1);
    }
    expect((await walked(root)).skipped).toEqual({
      node_modules: 'vendored',
      '.hidden': 'hidden',
      '.note.md': 'hidden',
      way: 'link',
    });
  });

  test('a file under several roots comes once, also through a link', async () => {
    const root = await makeTree({ 'a/b.md': 'b', 'a/c/d.md': 'd', way: link('a/c') });
    const a = join(root, 'a');
    expect((await walked([a, join(a, 'c'), join(a, 'b.md'), a, join(root, 'way')])).paths).toEqual(['b.md', 'c/d.md']);
  });

  test('a root inside of another one that ignores it is walked all the same', async () => {
    const root = await makeTree({ '.gitignore': 'drafts/', 'drafts/a.md': 'a', 'b.md': 'b' });
    expect((await walked([root, join(root, 'drafts')])).paths).toEqual(['b.md', 'drafts/a.md']);
  });

  test('a relative root and one with a slash at its end are the same', async () => {
    const root = await makeTree({ 'a.md': 'a' });
    expect((await walked([root, `${root}/`, `${root}/./`])).paths).toEqual(['a.md']);
  });
});

describe('what is left out', () => {
  test('formats without a reader, before files that are too large', async () => {
    const root = await makeTree({
      'film.mp4': 'x'.repeat(50),
      'long.md': 'x'.repeat(50),
      'short.md': 'x',
      oddity: '',
    });
    const { paths, skipped, skips } = await walked(root, { maxBytes: 10 });
    expect(paths).toEqual(['short.md']);
    expect(skipped).toEqual({ 'film.mp4': 'format', 'long.md': 'size', oddity: 'format' });
    expect(skips.find(({ reason }) => reason === 'size')!.detail).toBe('50 bytes, the limit is 10');
    for (const { reason } of skips) expect(skipReasons[reason]).toMatch(/\.$/);
  });

  test('build folders beside the file of a build tool, and not elsewhere', async () => {
    const root = await makeTree({
      'app/package.json': '{}',
      'app/dist/a.md': 'a',
      'app/src/build/b.md': 'b',
      'house/build/plan.md': 'c',
    });
    const { paths, skipped } = await walked(root);
    expect(paths).toEqual(['app/package.json', 'app/src/build/b.md', 'house/build/plan.md']);
    expect(skipped).toEqual({ 'app/dist': 'vendored' });
  });

  test('lock files, minified code, source maps and much JSON, unless given themselves', async () => {
    const root = await makeTree({
      'a.json': '{}',
      'big.json': ' '.repeat(1_000_001),
      'big.txt': ' '.repeat(1_000_001),
      'package-lock.json': '{}',
      'x.js': '',
      'x.min.js': '',
      'x.js.map': '{}',
    });
    const { paths, skipped } = await walked(root);
    expect(paths).toEqual(['a.json', 'big.txt', 'x.js']);
    expect(new Set(Object.values(skipped))).toEqual(new Set(['generated']));
    for (const name of ['big.json', 'package-lock.json', 'x.min.js'])
      expect((await walked(join(root, name))).files, name).toHaveLength(1);
  });

  test('formats that are not asked for', async () => {
    const root = await makeTree({ 'a.md': 'a', 'b.TXT': 'b', 'c.py': 'c', README: 'd' });
    const { paths, skipped, skips } = await walked(root, { formats: ['md', 'txt'] });
    expect(paths).toEqual(['a.md', 'b.TXT']);
    expect(skipped).toEqual({ 'c.py': 'format', README: 'format' });
    expect(skips[0]!.detail).toBe('only .md, .txt files are asked for');
  });

  test('pipes are neither opened nor waited for', async (context) => {
    if (process.platform === 'win32') context.skip(noPipes);
    const root = await makeTree({ 'a.md': 'a' });
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    expect(await walked(root)).toMatchObject({ paths: ['a.md'], skipped: { 'pipe.md': 'special' } });
    await expect(walked(join(root, 'pipe.md'))).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('a folder with a rule file that can not be used is left out: what it hides is not known', async (context) => {
    if (process.platform === 'win32') context.skip(noPipes);
    const root = await makeTree({
      'folder/.gitignore/': '',
      'huge/.gitignore': '#'.repeat(1_000_001),
      'device/.surmiseignore': link('/dev/zero'),
      'nowhere/.gitignore': link('gone'),
      'pipe/a.md': 'a',
      'exclude/.git/info/': '',
      'linked/.gitignore': link('../rules'),
      'linked/a.md': 'a',
      'linked/b.md': 'b',
      'none/.git/': '',
      'none/a.md': 'a',
      rules: 'b.md',
    });
    for (const name of ['folder', 'huge', 'device', 'nowhere', 'exclude'])
      await writeFile(join(root, name, 'a.md'), 'a');
    execFileSync('mkfifo', [join(root, 'pipe/.gitignore'), join(root, 'exclude/.git/info/exclude')]);
    const { paths, skipped, skips } = await walked(root);
    expect(paths).toEqual(['linked/a.md', 'none/a.md']);
    const unreadable = Object.keys(skipped).filter((path) => skipped[path] === 'unreadable');
    expect(unreadable).toEqual(['device', 'exclude', 'folder', 'huge', 'nowhere', 'pipe']);
    expect(skips.find(({ path }) => path === `${root}/pipe`)!.detail).toBe(
      'the rules in its .gitignore can not be used: it is not a file',
    );
    expect(await walked(join(root, 'pipe'))).toMatchObject({ paths: [], skips: [{ path: `${root}/pipe` }] });
  });

  test('a pipe named .git is not waited for', async (context) => {
    if (process.platform === 'win32') context.skip(noPipes);
    const root = await makeTree({ 'a/b.md': 'b' });
    execFileSync('mkfifo', [join(root, 'a/.git')]);
    expect((await walked(root)).paths).toEqual(['a/b.md']);
  });

  test('a folder that goes away during the walk is reported, and the rest goes on', async () => {
    const root = await makeTree({ 'a.md': 'a', 'b/c.md': 'c', 'd.md': 'd' });
    const paths: string[] = [];
    const reasons: string[] = [];
    for await (const { path } of walk([await openRoot(root)], {
      onSkip: ({ path, reason }) => reasons.push(path, reason),
    })) {
      paths.push(path);
      await rm(join(root, 'b'), { recursive: true, force: true });
    }
    expect(paths).toEqual([`${root}/a.md`, `${root}/d.md`]);
    expect(reasons).toEqual([`${root}/b`, 'unreadable']);
  });

  test('a folder without permission is reported, and the rest goes on', async (context) => {
    if (process.platform === 'win32') context.skip('Windows has no permission bits to take away');
    const root = await makeTree({ 'a/b.md': 'b', 'c.md': 'c', 'd.md': 'd' });
    await chmod(root, 0o755);
    await chmod(join(root, 'a'), 0);
    await chmod(join(root, 'c.md'), 0);
    // The administrator may read everything, so for the walk it becomes somebody else.
    const administrator = process.getuid?.() === 0;
    if (administrator) process.seteuid?.(65_534);
    try {
      const { paths, skipped, files } = await walked(root);
      expect(paths).toEqual(['c.md', 'd.md']);
      expect(skipped).toEqual({ a: 'unreadable' });
      expect(await readDocument(files[0]!)).toMatchObject({ skip: { reason: 'unreadable' } });
    } finally {
      if (administrator) process.seteuid?.(0);
      await chmod(join(root, 'a'), 0o700);
    }
  });
});

describe('what stops a walk', () => {
  test('a root that does not exist, with its name', async () => {
    const root = await makeTree({ 'a.md': 'a' });
    const gone = join(root, 'gone');
    await expect(walked([root, gone])).rejects.toMatchObject({
      code: 'unreadable',
      message: `${gone} can not be read: there is no such file or folder; check the spelling.`,
    });
    await expect(walked(join(root, 'a.md', 'b'))).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('more files than the limit', async () => {
    const root = await makeTree({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.png': '' });
    expect((await walked(root, { maxFiles: 3 })).paths).toHaveLength(3);
    await expect(walked(root, { maxFiles: 2 })).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('more than 2 files'),
    });
  });

  test('a signal', async () => {
    const root = await makeTree({ 'a.md': 'a', 'b.md': 'b' });
    const controller = new AbortController();
    const walking = walk([await openRoot(root)], { signal: controller.signal });
    expect((await walking.next()).done).toBe(false);
    controller.abort();
    await expect(walking.next()).rejects.toMatchObject({ code: 'aborted' });
  });
});

test('a thousand folders within each other are no matter of the stack', async () => {
  const deep = 'd/'.repeat(1_000);
  const root = await makeTree({ [`${deep}a.md`]: 'a' });
  expect((await walked(root)).paths).toEqual([`${deep}a.md`]);
});

test.skipIf(process.platform !== 'linux')('names that are no UTF-8 are each reported, also as a root', async () => {
  const root = await makeTree({ 'good.md': 'x' });
  for (const last of [0xfe, 0xff])
    await writeFile(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([last]), Buffer.from('.md')]), 'x');
  const { paths, skips } = await walked(root);
  expect(paths).toEqual(['good.md']);
  const skip = { path: `${root}/bad\ufffd.md`, reason: 'unreadable', detail: expect.stringMatching(/not valid UTF-8/) };
  expect(skips).toEqual([skip, skip]);
  await expect(walked(`${root}/bad\ufffd.md`)).rejects.toThrow(/not valid UTF-8/);
});
