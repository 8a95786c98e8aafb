import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from '../../src/files/read.js';
import { openRoot } from '../../src/files/root.js';
import { makeTree, walked } from '../files/tree.js';

const composed = 'Café/über.md'.normalize('NFC');
const decomposed = composed.normalize('NFD');

test('FR-023 a file has one key whichever form its name has on the disk or on the command line', async () => {
  for (const onDisk of [composed, decomposed]) {
    const root = await makeTree({ [onDisk]: 'oars' });
    for (const given of ['.', composed, decomposed, composed.split('/')[0]!, decomposed.split('/')[0]!]) {
      const { files } = await walked(join(root, given));
      expect(files.map(({ path, location }) => ({ path, location }))).toEqual([
        { path: `${root}/${composed}`, location: join(root, onDisk) },
      ]);
      const read = await readDocument(files[0]!);
      expect('document' in read && read.document).toMatchObject({
        id: `${root}/${composed}`,
        title: 'über',
        text: 'oars',
      });
    }
  }
});

test('FR-023 two files whose names differ in form alone hide neither', async (context) => {
  if (process.platform !== 'linux') context.skip('the file system may take the two forms for one name');
  const root = await makeTree({ [composed]: 'one', [composed.replace('über', 'u\u0308ber')]: 'two' });
  const { files } = await walked(root);
  expect(new Set(files.map(({ path }) => path)).size).toBe(2);
  expect(files.find(({ path }) => path === `${root}/${composed}`)!.location).toBe(join(root, composed));
});

test('FR-023 given one by one, two such files and what is in two such folders keep the keys of the walk', async (context) => {
  if (process.platform !== 'linux') context.skip('the file system may take the two forms for one name');
  const twin = 'u\u0308ber';
  const root = await makeTree({
    'über.md': 'one',
    [`${twin}.md`]: 'two',
    'über/a.md': 'three',
    [`${twin}/a.md`]: 'four',
  });
  const { files } = await walked(root);
  expect(new Set(files.map(({ path }) => path)).size).toBe(4);
  for (const { path, location } of files) expect((await openRoot(location)).path).toBe(path);
});
