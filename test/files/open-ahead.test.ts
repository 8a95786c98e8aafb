import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { DiskPace } from '../../src/files/disk-pace.js';
import { openAhead } from '../../src/files/open-ahead.js';
import { readUpTo, readUpToNow } from '../../src/files/read-up-to.js';
import { makeTree, walked } from './tree.js';

/** Of a disk that is quick for so many files, and then is not. */
function quickFor(files: number): DiskPace {
  let looks = 0;
  return {
    get quick() {
      return looks < files;
    },
    timed(work) {
      looks++;
      return work();
    },
  };
}

test.each([
  ['quick', 100],
  ['slow', 0],
  ['quick at first', 50],
])('from a disk that is %s files come in the order given, and one that has gone says so', async (_, quick) => {
  const contents = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${at}.md`, `Note ${at}.`]));
  const root = await makeTree(contents);
  const { files } = await walked(root);
  await rm(files[70]!.location);
  const seen: string[] = [];
  const skipped: string[] = [];
  for await (const { file, opened } of openAhead(files, quickFor(quick))) {
    seen.push(file.path);
    if ('skip' in opened) skipped.push(`${opened.skip.reason} ${file.path}`);
    else
      expect(await opened.read()).toMatchObject({
        document: { id: file.path, text: contents[file.path.slice(root.length + 1)] },
      });
  }
  expect(seen).toEqual(files.map(({ path }) => path));
  expect(skipped).toEqual([`unreadable ${files[70]!.path}`]);
});

test('from a slow disk a file that is too large to be held beside another is read when it is asked for', async () => {
  const root = await makeTree({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
  const { files } = await walked(root);
  const huge = files.map((file) => ({ ...file, size: 40_000_000 }));
  const found: boolean[] = [];
  for await (const { opened } of openAhead(huge, quickFor(0))) {
    found.push('read' in opened);
    await rm(files[1]!.location, { force: true });
  }
  expect(found).toEqual([true, false, true]);
});

test('both ways of reading give the same bytes, up to the limit, and refuse what is no file', async () => {
  const root = await makeTree({ 'a.md': 'x'.repeat(10_000), 'empty.md': '' });
  for (const [name, limit, length] of [
    ['a.md', 20_000, 10_000],
    ['a.md', 10_000, 10_000],
    ['a.md', 99, 99],
    ['empty.md', 10, 0],
  ] as const) {
    const now = readUpToNow(`${root}/${name}`, limit);
    expect(now).toEqual(await readUpTo(`${root}/${name}`, limit));
    expect(now).toHaveLength(length);
  }
  expect(() => readUpToNow(root, 10)).toThrow();
  await expect(readUpTo(root, 10)).rejects.toThrow();
});
