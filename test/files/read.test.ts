import { appendFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/files/read.js';
import { makeTree, readContent, readOrSkip, walked } from './tree.js';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test('a document has its path as id, the name as title, and the text unchanged', async () => {
  const content = 'The harbour is closed.\r\n\r\n  Ask the pilot. \r\n';
  const { document, blocks, notes } = await readContent('Winter hours.txt', content);
  expect(document).toEqual({
    id: expect.stringMatching(/^\/.*\/Winter hours\.txt$/),
    path: document.id,
    title: 'Winter hours',
    text: content,
    metadata: { modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
  });
  expect(blocks.map(({ start, end }) => content.slice(start, end))).toEqual([
    'The harbour is closed.',
    '  Ask the pilot. ',
  ]);
  expect(notes).toEqual([]);
});

describe('encodings', () => {
  test('UTF-8 and UTF-16 with a byte order mark, which is no part of the text', async () => {
    const text = 'Grüße aus 東京 🗼';
    const little = utf16(text);
    for (const bytes of [Buffer.from(`\ufeff${text}`), little, Buffer.from(little).swap16()]) {
      const read = await readContent('a.md', bytes);
      expect(read.document.text).toBe(text);
      expect(read.notes).toEqual([]);
    }
    expect((await readContent('a.md', little)).document.metadata).toMatchObject({ encoding: 'utf-16le' });
  });

  test('invalid UTF-8 among valid is replaced, marked and noted', async () => {
    const bytes = Buffer.concat([Buffer.from('Ça va, '), Buffer.from([0xe9]), Buffer.from(' voilà')]);
    const { document, notes } = await readContent('a.txt', bytes);
    expect(document.text).toBe('Ça va, \ufffd voilà');
    expect(document.metadata).toMatchObject({ lossy: true });
    expect(notes).toEqual(['invalid UTF-8 replaced']);
  });

  test('UTF-16 that was cut in the middle is read up to there', async () => {
    const { document } = await readContent('a.txt', utf16('harbour').subarray(0, -1));
    expect(document.text).toBe('harbou\ufffd');
    expect(document.metadata).toMatchObject({ lossy: true });
  });

  test('bytes that are no text are skipped, whatever the name says', async () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 256);
    const image = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0', 'latin1');
    const cyrillicLike = Buffer.alloc(500, 0xcf);
    for (const content of [bytes, image, cyrillicLike, utf16('a\0b')]) {
      expect(await readOrSkip('a.txt', content)).toMatchObject({ skip: { reason: 'binary' } });
    }
  });

  test('nothing but white space is empty', async () => {
    for (const content of ['', ' \n\t\r\n', '\ufeff', utf16('\n')]) {
      expect(await readOrSkip('a.md', content), JSON.stringify(content)).toMatchObject({ skip: { reason: 'empty' } });
    }
  });

  test('no bytes make a reader throw; blocks lie in the text, and what is not rendered comes back as it was', async () => {
    const root = await makeTree({ 'a.md': 'a' });
    const { files } = await walked(root);
    const { formats } = await import('../../src/files/formats.js');
    for (const { name, read } of formats) {
      const verbatim = /^(?:markdown|plain text|.*source code)$/.test(name);
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => void (await read(bytes))),
        { numRuns: 300 },
      );
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
          fc.pre(text.trim() !== '' && !text.startsWith('\ufeff'));
          const reading = await read(Buffer.from(text));
          if ('reason' in reading) return;
          if (verbatim) expect(reading.text).toBe(text.replaceAll('\0', '\u2400'));
          let last = 0;
          for (const { start, end } of reading.blocks) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThanOrEqual(start);
            last = end;
          }
          expect(reading.text.length).toBeGreaterThanOrEqual(last);
        }),
        { numRuns: 300 },
      );
    }
    expect(files).toHaveLength(1);
  });
});

describe('what changes between the walk and the reading', () => {
  test('a file that grew a little is read whole, one that grew without end is not', async () => {
    const root = await makeTree({ 'a.log': 'first line\n' });
    const { files } = await walked(root);
    await appendFile(files[0]!.location, 'second line\n');
    const read = await readDocument(files[0]!);
    expect('document' in read && read.document.text).toBe('first line\nsecond line\n');
    await appendFile(files[0]!.location, 'x'.repeat(1_100_000));
    expect(await readDocument(files[0]!)).toMatchObject({ skip: { reason: 'size' } });
  });

  test('a file that is gone is a skip', async () => {
    const root = await makeTree({ 'a.md': 'a' });
    const [file] = (await walked(root)).files;
    const gone = { ...file!, location: `${file!.location}.gone` };
    expect(await readDocument(gone)).toMatchObject({ skip: { path: file!.path, reason: 'unreadable' } });
  });

  test('a format without a reader is a skip', async () => {
    const file = { path: '/a/b.xyz', location: '/a/b.xyz', size: 1, modified: 0 };
    expect(await readDocument(file)).toEqual({
      skip: { path: '/a/b.xyz', reason: 'format', detail: '.xyz files are not read' },
    });
  });
});

test('the lines of a long log are blocks, and so are its old line ends', async () => {
  const lines = Array.from({ length: 300_000 }, (_, i) => `t=${i} ok`);
  for (const end of ['\n', '\r\n', '\r']) {
    const { document, blocks } = await readContent('a.log', lines.join(end));
    expect(blocks).toHaveLength(lines.length);
    expect(document.text.slice(blocks[7]!.start, blocks[7]!.end)).toBe('t=7 ok');
  }
});
