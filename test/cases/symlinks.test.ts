import { expect, test } from 'vitest';
import { link, makeTree, walked } from '../files/tree.js';

test('FR-041 links to their own folder make no endless paths: each file once, under its shortest path', async () => {
  const root = await makeTree({ 'a.md': 'a', m1: link('.'), m2: link('.'), 'b/m3': link('..'), 'b/c.md': 'c' });
  expect(await walked(root)).toMatchObject({
    paths: ['a.md', 'b/c.md'],
    skipped: { m1: 'link', m2: 'link', 'b/m3': 'link' },
  });
});

test('FR-042 links to each other and to nothing do not stop a walk', async () => {
  const root = await makeTree({ 'a.md': 'a', x: link('y'), y: link('x'), 'z.md': link('gone.md') });
  expect(await walked(root)).toMatchObject({ paths: ['a.md'], skipped: { x: 'link', y: 'link', 'z.md': 'link' } });
  await expect(walked(`${root}/x`)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('leads back to itself'),
  });
});
