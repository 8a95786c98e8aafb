import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAhead } from '../../src/files/open-ahead.js';
import { readUpTo, readUpToNow } from '../../src/files/read-up-to.js';
import { makeTree, walked } from './tree.js';

test('files come in the order given, and one that has gone meanwhile says so', async () => {
  const contents = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${at}.md`, `Note ${at}.`]));
  const root = await makeTree(contents);
  const { files } = await walked(root);
  await rm(files[70]!.location);
  const seen: string[] = [];
  const skipped: string[] = [];
  for await (const { file, opened } of openAhead(files)) {
    seen.push(file.path);
    if ('skip' in opened) skipped.push(`${opened.skip.reason} ${file.path}`);
  }
  expect(seen).toEqual(files.map(({ path }) => path));
  expect(skipped).toEqual([`unreadable ${files[70]!.path}`]);
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
