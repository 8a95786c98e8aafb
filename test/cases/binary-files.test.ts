import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';
import { readDocument } from '../../src/files/read.js';
import { makeTree, readContent, readOrSkip, walked } from '../files/tree.js';

test('FR-053 a text with a NUL character is kept, its offsets stay, and a true binary is skipped with a reason', async () => {
  const before = 'The lamp is lit at dusk.\n\n'.repeat(400);
  const content = `${before}const end = '\0';\n\nThe lamp is out at dawn.\n`;
  const { document, blocks, notes } = await readContent('lamp.txt', content);
  expect(document.text).toBe(content.replace('\0', '\u2400'));
  expect(notes).toEqual(['NUL characters shown as \u2400']);
  const last = chunkText(document.text, blocks).at(-1)!;
  expect(content.slice(last.start, last.end)).toMatch(/The lamp is out at dawn\.$/);
  expect((await readContent('lamp.md', content.slice(before.length - 100))).document.text).toContain('\u2400');

  expect(await readOrSkip('tool.txt', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'))).toMatchObject({
    skip: { reason: 'binary', path: expect.stringMatching(/tool\.txt$/) },
  });
});

test('FR-054 a Latin-1 file and one cut inside its last character are read and flagged, and the rest goes on', async () => {
  const root = await makeTree({
    'a.txt': Buffer.from('Die Fähre fährt über die Förde – täglich.', 'latin1'),
    'b.txt': Buffer.from('The ferry café').subarray(0, -1),
    'c.txt': 'The ferry.',
  });
  const reads = await Promise.all((await walked(root)).files.map(readDocument));
  const found = reads.map((read) =>
    'document' in read ? [read.document.text, read.document.metadata, read.notes] : read,
  );
  const modified = expect.any(String);
  expect(found).toEqual([
    [
      expect.stringMatching(/^Die Fähre fährt über die Förde . täglich\.$/),
      { modified, lossy: true, encoding: 'windows-1252' },
      ['not UTF-8, read as windows-1252'],
    ],
    ['The ferry caf\ufffd', { modified, lossy: true }, ['invalid UTF-8 replaced']],
    ['The ferry.', { modified }, []],
  ]);
});
