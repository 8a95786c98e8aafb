import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadStaticEmbedder } from '../../src/local/static-file.js';
import { staticEmbedder } from '../../src/models/static-embedder.js';
import { embedderContract } from '../contract/embedder.js';

const ownTable = fileURLToPath(new URL('../../assets/static-embedder/static-256.i8.bin', import.meta.url));

embedderContract("the package's own table", () => loadStaticEmbedder());

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the same embedder as from the bytes, also from a path of its own', async () => {
  const moved = join(folder, 'a table, moved é.bin');
  await copyFile(ownTable, moved);
  const expected = staticEmbedder(await readFile(ownTable));
  for (const embedder of [await loadStaticEmbedder(), await loadStaticEmbedder(moved)]) {
    expect(embedder.fingerprint).toEqual(expected.fingerprint);
    const texts = ['When does the ferry leave?'];
    expect(await embedder.embed(texts, { role: 'query' })).toEqual(await expected.embed(texts, { role: 'query' }));
  }
});

describe('what can not be read says so', () => {
  const failureOf = (path: string) =>
    loadStaticEmbedder(path).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('a missing file, a folder', async () => {
    for (const path of [join(folder, 'missing.bin'), folder])
      expect(await failureOf(path)).toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/can not be read .*Name an existing file/),
      });
    expect(await failureOf(join(folder, 'missing.bin'))).toMatchObject({
      message: expect.stringContaining('missing.bin'),
    });
  });

  test('a pipe, which never ends', async (context) => {
    if (process.platform === 'win32') context.skip('Windows has no pipes among its files');
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    expect(await failureOf(pipe)).toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('is not a file'),
    });
  });

  test('an empty file, a foreign one, a truncated table', async () => {
    const place = join(folder, 'tables');
    await mkdir(place);
    const cut = join(place, 'cut.bin');
    await copyFile(ownTable, cut);
    await truncate(cut, 5_000_000);
    const empty = join(place, 'empty.bin');
    await writeFile(empty, '');
    const foreign = join(place, 'notes.md');
    await writeFile(foreign, '# Notes\n\nThe ferry leaves at noon.\n');
    for (const path of [cut, empty, foreign])
      expect(await failureOf(path)).toMatchObject({
        code: 'bad_data',
        message: expect.stringMatching(/not a static embedder table.*install it again/),
      });
    expect(await failureOf(cut)).toMatchObject({ message: expect.stringContaining(cut) });
  });

  test('a file far over the size of any table is not read at all', async () => {
    const huge = join(folder, 'huge.bin');
    await writeFile(huge, '');
    // A hole: it takes no room on the disk.
    await truncate(huge, 1_073_741_825);
    expect(await failureOf(huge)).toMatchObject({ code: 'bad_data', message: expect.stringContaining('too large') });
    await rm(huge);
  });
});
