import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
