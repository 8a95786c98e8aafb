import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { makeWorkspace } from '../cli/workspace.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

let copy: string;

beforeAll(async () => {
  copy = await makeWorkspace();
  for (const name of ['src', 'dist', 'tsconfig.base.json', 'tsconfig.json', 'package.json'])
    await cp(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

/** What `tsc -b` says of the room; empty when it compiles. */
async function build(room: string): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, [tsc, '-b', join('src', room)], { cwd: copy });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test('the copy compiles before anything is wrong', async () => {
  expect(await build('cli')).toBe('');
});

test.each([
  ['core', '../kernels/index.js'],
  ['core', '../storage/index.js'],
  ['kernels', '../core/index.js'],
  ['models', '../kernels/index.js'],
  ['evaluate', '../storage/index.js'],
  ['files', '../storage/index.js'],
  ['storage', '../cli/program.js'],
  ['core', 'node:fs'],
  ['kernels', 'node:fs'],
  ['models', 'node:fs'],
  ['evaluate', 'node:fs'],
])('%s has no door to %s', async (room, target) => {
  const file = join(copy, 'src', room, 'wrong-door.ts');
  await writeFile(file, `import * as wrong from '${target}';\nexport const used = wrong;\n`);
  expect(await build(room)).toContain('wrong-door.ts');
  await writeFile(file, 'export {};\n');
});
