import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';
import { readContent } from '../files/tree.js';

async function chunksOf(content: string) {
  const { document, blocks, notes } = await readContent('note.md', content);
  const chunks = chunkText(document.text, blocks).map(({ start, end }) => document.text.slice(start, end));
  return { title: document.title, metadata: document.metadata, chunks: chunks.join('\n'), notes };
}

test('FR-048 a letterhead between dashes is text', async () => {
  const { chunks, title } = await chunksOf('---\n**Harbour Office, Pier 4**\n---\n\nThe crane is closed.\n');
  expect(chunks).toContain('Harbour Office, Pier 4');
  expect(chunks).toContain('The crane is closed.');
  expect(title).toBe('note');
});

test('FR-049 front matter that ends the file, without a line end, is read', async () => {
  expect(await chunksOf('---\ntitle: Crane\n---')).toEqual({
    title: 'Crane',
    metadata: { title: 'Crane', modified: expect.any(String) },
    chunks: '',
    notes: [],
  });
});

test('FR-050 annotations in front matter are in no chunk, also with CRLF and when its YAML is wrong', async () => {
  for (const mistake of ['', 'list: [a\r\n', 'plan: a: b\r\n', '\ttab: a\r\n']) {
    const { chunks } = await chunksOf(`---\r\nremark: not for others\r\n${mistake}---\r\n\r\nThe crane is closed.\r\n`);
    expect(chunks, mistake).toBe('The crane is closed.');
  }
});

test('FR-051 a colon, pipe or ampersand in a title without quotes costs nothing but the rest of the front matter', async () => {
  for (const title of ['Crane: repair & test', '& more', '| left', '@home', '"a" b']) {
    const read = await chunksOf(`---\ntitle: ${title}\nowner: office\n---\n\nThe crane is closed.\n`);
    expect(read.chunks).toBe('The crane is closed.');
    if (read.notes.length > 0)
      expect(read).toMatchObject({ title, notes: [expect.stringMatching(/^front matter is not used/)] });
  }
  expect(await chunksOf('---\ntitle: Crane: repair & test\n---\n\nText.\n')).toMatchObject({
    title: 'Crane: repair & test',
    notes: [expect.any(String)],
  });
});
