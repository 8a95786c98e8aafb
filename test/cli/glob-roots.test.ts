import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

test('a glob that no shell expanded indexes what fits it, and what does not fit it stays', async () => {
  const home = await makeWorkspace({
    'notes/lock.md': 'The lock keeper opens the gate.',
    'notes/oar.txt': 'Two oars and a rudder.',
    'notes/deep/sail.txt': 'A sail of red cloth.',
  });
  const index = async (...args: string[]) => JSON.parse((await surmise(['index', ...args, '--json'], { home })).stdout);
  expect(await index('notes')).toMatchObject({ added: 3 });
  await rm(join(home, 'notes/oar.txt'));
  expect(await index('notes/**/*.txt')).toMatchObject({ added: 0, unchanged: 1, removed: 1 });
  expect(await index('notes')).toMatchObject({ added: 0, unchanged: 2, removed: 0 });

  const { code, stderr } = await surmise(['index', 'notes/*.rst', '--index', join(home, 'new.db')], { home });
  expect(code).toBe(8);
  expect(stderr).toContain('notes/*.rst matches nothing');
});
