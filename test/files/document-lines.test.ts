import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type DocumentLinesOptions, documentsFromLines } from '../../src/files/document-lines.js';

const bytes = (text: string) => new TextEncoder().encode(text);

/** The bytes in parts of `size`. */
async function* inParts(text: string | Uint8Array, size = 7) {
  const all = typeof text === 'string' ? bytes(text) : text;
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

async function read(text: string | Uint8Array, options?: DocumentLinesOptions, size?: number) {
  const documents = [];
  for await (const { document } of documentsFromLines(inParts(text, size), options)) documents.push(document);
  return documents;
}

describe('what is read', () => {
  const lines = [
    '{"id": "a", "text": "The lock opens at noon.", "title": "Lock", "path": "x/a", "language": "en", "metadata": {"n": [1, null]}, "collection": "c"}',
    '{"_id": "b", "text": "", "title": null, "metadata": null}',
    '{"id": 7, "text": "Ein Kahn \\n läuft 🛶 aus."}',
  ];
  const documents = [
    {
      id: 'a',
      text: 'The lock opens at noon.',
      title: 'Lock',
      path: 'x/a',
      language: 'en',
      metadata: { n: [1, null] },
      collection: 'c',
    },
    { id: 'b', text: '' },
    { id: '7', text: 'Ein Kahn \n läuft 🛶 aus.' },
  ];

  test('documents with all fields, however the bytes are cut', async () => {
    for (const size of [1, 2, 3, 50, 10_000]) expect(await read(lines.join('\n'), {}, size)).toEqual(documents);
  });

  test('line ends of Windows, blank lines, byte order marks, a last line with and without an end', async () => {
    for (const text of [
      lines.join('\r\n'),
      `${lines.join('\n')}\n`,
      `\uFEFF${lines.join('\n\n  \n')}\r\n\r\n`,
      lines.map((line) => `\uFEFF${line}\n`).join(''),
    ])
      expect(await read(text)).toEqual(documents);
  });

  test('nothing', async () => {
    for (const text of ['', '\n', '\r\n \n\uFEFF', '\uFEFF']) expect(await read(text)).toEqual([]);
  });

  test('streams of Node and of the web, and parts that are text already', async () => {
    const web = new Response(lines.join('\n')).body! as unknown as AsyncIterable<Uint8Array>;
    for (const source of [Readable.from([bytes(lines.join('\n'))]), web, Readable.from([lines.join('\n')])]) {
      const found = [];
      for await (const { document } of documentsFromLines(source)) found.push(document);
      expect(found).toEqual(documents);
    }
  });
});

describe('what is wrong is said with its line', () => {
  const good = '{"id": "a", "text": "b"}';
  test.each([
    ['{"id": "a"', 'expected one JSON object a line'],
    ['["a", "b"]', 'expected a JSON object'],
    ['null', 'expected a JSON object'],
    ['{"text": "b"}', 'A document needs an "id"'],
    ['{"id": "", "text": "b"}', 'A document needs an "id"'],
    ['{"id": 1.5, "text": "b"}', 'A document needs an "id"'],
    ['{"id": 12345678901234567890, "text": "b"}', 'A document needs an "id"'],
    ['{"id": "\\ud83d", "text": "b"}', 'A document needs an "id"'],
    ['{"id": "a"}', 'Document "a" needs a "text"'],
    ['{"id": "a", "text": ["b"]}', 'Document "a" needs a "text"'],
    ['{"id": "a", "text": "b", "title": 3}', 'The title of document "a" must be a string'],
    ['{"id": "a", "text": "b", "metadata": "c"}', 'The metadata of document "a" must be an object'],
    ['{"id": "a", "text": "b", "url": "c"}', 'unknown field "url"'],
  ])('%s', async (line, message) => {
    await expect(read(`${good}\n\n${line}\n${good}`, { name: 'pages.jsonl' })).rejects.toMatchObject({
      code: 'bad_data',
      message: expect.stringContaining(`pages.jsonl, line 3: ${message}`),
    });
  });

  test('bytes that are not UTF-8', async () => {
    for (const odd of [
      [0x7b, 0xe4, 0x7d],
      [0xff, 0xfe, 0x7b, 0x00],
      [0xe2, 0x82],
    ])
      await expect(read(Uint8Array.from([...bytes(`${good}\n`), ...odd]))).rejects.toMatchObject({
        code: 'bad_data',
        message: expect.stringContaining('standard input, line 2: expected UTF-8'),
      });
  });

  test('a line that is too long, as soon as that is known', async () => {
    let parts = 0;
    async function* endless() {
      yield bytes(`${good}\n`);
      for (;;) {
        parts++;
        yield bytes('x'.repeat(1_000));
      }
    }
    const reading = documentsFromLines(endless(), { maxLineBytes: 5_000 });
    expect((await reading.next()).value.document.id).toBe('a');
    await expect(reading.next()).rejects.toMatchObject({
      code: 'bad_data',
      message: expect.stringContaining('line 2: expected at most 5000 bytes'),
    });
    expect(parts).toBe(6);
    const exact = `${good}\n${good}`;
    expect(await read(exact, { maxLineBytes: good.length })).toHaveLength(2);
    for (const size of [5, 1_000])
      await expect(read(exact, { maxLineBytes: good.length - 1 }, size)).rejects.toThrow('line 1');
  });
});

test('documents before a bad line come first, one at a time', async () => {
  let parts = 0;
  async function* source() {
    for (; parts < 1_000; parts++) yield bytes(`{"id": ${parts}, "text": "x"}\n`);
    yield bytes('nonsense');
  }
  const reading = documentsFromLines(source());
  await reading.next();
  await reading.next();
  expect(parts).toBe(1);
  let rest = 0;
  await expect(
    (async () => {
      for await (const _ of reading) rest++;
    })(),
  ).rejects.toThrow('line 1001');
  expect(rest).toBe(998);
});

test('a source that fails is unreadable, and one that gives nothing is not waited for after a signal', async () => {
  const failing = new Readable({ read: () => failing.destroy(new Error('the disk is gone')) });
  await expect(documentsFromLines(failing).next()).rejects.toMatchObject({
    code: 'unreadable',
    message: 'standard input can not be read: the disk is gone.',
  });
  const silent = new Readable({ read: () => undefined });
  const controller = new AbortController();
  const waiting = documentsFromLines(silent, { signal: controller.signal }).next();
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  expect(silent.destroyed).toBe(true);
  await expect(documentsFromLines(inParts('{}'), { signal: controller.signal }).next()).rejects.toMatchObject({
    code: 'aborted',
  });
});

test('who stops early ends the source', async () => {
  const source = Readable.from([bytes('{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\n')]);
  for await (const _ of documentsFromLines(source)) break;
  await expect.poll(() => source.destroyed, { interval: 1 }).toBe(true);
});

test('a language, a collection and metadata that can not be used are told by their line', async () => {
  const nested = '['.repeat(20_000) + ']'.repeat(20_000);
  for (const [field, expected] of [
    ['"language": ""', /language code such as "en"/],
    ['"language": "english"', /language code/],
    ['"language": "_en"', /language code/],
    ['"collection": ""', /must begin with a letter or digit/],
    ['"collection": "a/b"', /must begin with a letter or digit/],
    [`"collection": "${'c'.repeat(101)}"`, /at most 100 characters/],
    [`"metadata": {"a": ${nested}}`, /at most 100 lists and objects/],
  ] as const) {
    const lines = `{"id": "a", "text": "x"}\n{"id": "b", "text": "x", ${field}}`;
    const error = await read(lines).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'bad_data', message: expect.stringMatching(/^standard input, line 2: /) });
    expect(error).toMatchObject({ message: expect.stringMatching(expected) });
  }
  const lines = '{"id": "a", "text": "x", "language": "pt_BR", "collection": "Notizen 2.1 - é"}';
  expect(await read(lines)).toHaveLength(1);
});
