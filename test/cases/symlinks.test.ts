import { expect, test } from 'vitest';
import { link, makeTree, walked } from '../files/tree.js';

test('FR-039 links to folders elsewhere are counted, and followed when asked for', async () => {
  const root = await makeTree({
    'notes/own.md': 'o',
    'notes/boats': link('../boats'),
    'notes/locks': link('../locks'),
    'boats/a.md': 'a',
    'boats/deep/b.md': 'b',
    'locks/c.md': 'c',
    'locks/back': link('../notes'),
  });
  const notes = `${root}/notes`;
  expect(await walked(notes)).toMatchObject({ paths: ['own.md'], skipped: { boats: 'link', locks: 'link' } });
  expect(await walked(notes, { followLinks: true })).toMatchObject({
    paths: ['own.md', 'boats/a.md', 'boats/deep/b.md', 'locks/c.md'],
    skipped: { 'locks/back': 'link' },
  });
});

test('FR-041 links to their own folder make no endless paths: each file once, under its shortest path', async () => {
  const root = await makeTree({ 'a.md': 'a', m1: link('.'), m2: link('.'), 'b/m3': link('..'), 'b/c.md': 'c' });
  for (const followLinks of [false, true])
    expect(await walked(root, { followLinks })).toMatchObject({
      paths: ['a.md', 'b/c.md'],
      skipped: { m1: 'link', m2: 'link', 'b/m3': 'link' },
    });
});

test('FR-042 links to each other and to nothing do not stop a walk', async () => {
  const root = await makeTree({ 'a.md': 'a', x: link('y'), y: link('x'), 'z.md': link('gone.md') });
  expect(await walked(root)).toMatchObject({ paths: ['a.md'], skipped: { x: 'link', y: 'link', 'z.md': 'link' } });
  expect(await walked(root, { followLinks: true })).toMatchObject({
    paths: ['a.md'],
    skipped: { x: 'unreadable', y: 'unreadable', 'z.md': 'unreadable' },
  });
  await expect(walked(`${root}/x`)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('leads back to itself'),
  });
});
