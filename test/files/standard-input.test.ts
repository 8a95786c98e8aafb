import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { checkDescriptor } from '../../src/files/standard-input.js';

test('a folder and what is closed are no input', async () => {
  const folder = await open(tmpdir());
  const { fd } = folder;
  expect(() => checkDescriptor(fd)).toThrow(
    expect.objectContaining({ code: 'unreadable', message: expect.stringMatching(/is a folder/) }),
  );
  await folder.close();
  expect(() => checkDescriptor(987_654)).toThrow(
    expect.objectContaining({ code: 'unreadable', message: expect.stringMatching(/it is closed/) }),
  );
});
