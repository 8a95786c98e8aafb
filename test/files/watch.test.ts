import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Skip } from '../../src/files/skip.js';
import { watchFolders } from '../../src/files/watch.js';
import { makeTree } from './tree.js';

/** A watch of a new folder, past the yield that says that it has begun. */
async function watching() {
  const root = await makeTree({ 'a.md': 'boat', 'node_modules/x/b.md': 'x' });
  const abort = new AbortController();
  const changes = watchFolders([root], { signal: abort.signal });
  expect((await changes.next()).done).toBe(false);
  return { root, abort, changes };
}

test('a new, a changed, a moved and a removed file are each told of', async () => {
  const { root, abort, changes } = await watching();
  const steps = [
    () => writeFile(join(root, 'c.md'), 'mill'),
    () => writeFile(join(root, 'a.md'), 'ship'),
    () => rename(join(root, 'a.md'), join(root, 'd.md')),
    () => rm(join(root, 'c.md')),
    async () => {
      await mkdir(join(root, 'deep', 'er'), { recursive: true });
      await writeFile(join(root, 'deep', 'er', 'e.md'), 'oak');
    },
    () => writeFile(join(root, '.surmiseignore'), 'd.md'),
  ];
  for (const step of steps) {
    const next = changes.next();
    await step();
    expect(await next).toEqual({ done: false, value: undefined });
  }
  abort.abort();
  expect((await changes.next()).done).toBe(true);
});

test('many files at once are one change, and what no walk would see is none', async () => {
  const { root, abort, changes } = await watching();
  let yields = 0;
  const counting = (async () => {
    for await (const _ of changes) yields++;
  })();
  await writeFile(join(root, 'node_modules', 'x', 'b.md'), 'y');
  await writeFile(join(root, 'picture.png'), 'y');
  await writeFile(join(root, '.hidden.md'), 'y');
  await Promise.all(Array.from({ length: 50 }, (_, i) => writeFile(join(root, `n${i}.md`), 'text')));
  await expect.poll(() => yields, { timeout: 10_000 }).toBe(1);
  abort.abort();
  await counting;
  expect(yields).toBe(1);
});

test('it ends at once when it is cancelled while it waits', async () => {
  const { abort, changes } = await watching();
  const next = changes.next();
  abort.abort();
  expect((await next).done).toBe(true);
});

/** A watch of several roots below a folder, past its beginning. */
async function watchingAll(files: Parameters<typeof makeTree>[0], roots: readonly string[], followLinks = false) {
  const folder = await makeTree(files);
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const skips: Skip[] = [];
  const changes = watchFolders(
    roots.map((root) => join(folder, root)),
    { signal: abort.signal, followLinks, onSkip: (skip) => skips.push(skip) },
  );
  await changes.next();
  /** Whether the step is told of. Changes that are noticed late may be told of again, and are no harm. */
  const told = async (step: () => Promise<unknown>) => {
    const next = changes.next();
    await step();
    return (await next).done === false;
  };
  return { folder, told, skips, abort, changes };
}

test('a root that goes away is told of, as is its coming back and what changes then, and others stay watched', async () => {
  const { folder, told } = await watchingAll({ 'a/x.md': 'x', 'b/y.md': 'y' }, ['a', 'b', 'later']);
  const [a, away] = [join(folder, 'a'), join(folder, 'away')];
  expect(await told(() => rename(a, away))).toBe(true);
  expect(await told(() => writeFile(join(folder, 'b', 'y.md'), 'changed'))).toBe(true);
  expect(await told(() => rename(away, a))).toBe(true);
  expect(await told(() => writeFile(join(a, 'x.md'), 'changed'))).toBe(true);
  expect(await told(() => rm(a, { recursive: true }))).toBe(true);
  expect(await told(() => mkdir(join(folder, 'later')))).toBe(true);
  expect(await told(() => writeFile(join(folder, 'later', 'z.md'), 'new'))).toBe(true);
}, 20_000);

test('behind a root that is a link, what it leads to is watched, also when that changes', async () => {
  const { folder, told } = await watchingAll({ 'one/x.md': 'x', 'two/y.md': 'y', root: { to: 'one' } }, ['root']);
  expect(await told(() => writeFile(join(folder, 'one', 'x.md'), 'changed'))).toBe(true);
  await symlink('two', join(folder, 'next'));
  expect(await told(() => rename(join(folder, 'next'), join(folder, 'root')))).toBe(true);
  expect(await told(() => writeFile(join(folder, 'two', 'y.md'), 'changed'))).toBe(true);
}, 20_000);

test('an entry that can not be watched is passed over and told of once', async () => {
  const { folder, told, skips } = await watchingAll({ 'a/x.md': 'x', 'a/round': { to: 'round' } }, ['a'], true);
  expect(await told(() => writeFile(join(folder, 'a', 'x.md'), 'changed'))).toBe(true);
  expect(skips).toEqual([
    { path: join(folder, 'a', 'round'), reason: 'unreadable', detail: 'it is a link that leads back to itself' },
  ]);
}, 20_000);
