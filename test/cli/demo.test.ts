import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeWorkspace } from './workspace.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'scripts', 'demo.js');
const indexes = join(root, 'node_modules', '.cache', 'surmise');

test('the demo takes a folder from where npm was called, and gives each folder an index of its own', async () => {
  const home = await makeWorkspace({ 'one/a.md': 'A canoe on the lake.\n', 'two/b.md': 'A kayak on the river.\n' });
  const before = new Set(await readdir(indexes).catch(() => []));
  const demo = (folder: string) => {
    const env = { ...process.env, INIT_CWD: home, NO_COLOR: '1' };
    return spawnSync(process.execPath, [script, folder, 'canoe'], { cwd: root, env, encoding: 'utf8' });
  };
  try {
    for (const [folder, file] of [
      ['one', 'a.md'],
      ['two', 'b.md'],
    ] as const) {
      const { status, stdout } = demo(folder);
      expect(status).toBe(0);
      expect(stdout).toContain(`${join(home, folder, file)}:`);
      expect(stdout).toMatch(/^documents +1$/m);
    }
    expect(demo('three')).toMatchObject({ status: 2, stderr: expect.stringContaining('no folder three') });
  } finally {
    for (const name of await readdir(indexes)) if (!before.has(name)) await rm(join(indexes, name));
  }
});
