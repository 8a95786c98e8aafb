import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const packageFolder = join('node_modules', '@huggingface', 'transformers');

/** Where no package is installed. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  for (const file of ['core/errors.ts', 'local/transformers-js.ts']) {
    const text = ts.transpile(await readFile(join(source, file), 'utf8'), options);
    const path = join(folder, file.replace(/ts$/, 'js'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(
    join(folder, 'main.js'),
    `import { loadTransformersJs } from './local/transformers-js.js';
     await loadTransformersJs().catch(({ code, message }) => console.log(code, message));`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

const said = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.js')]);
  return stdout.trim();
};

test('without the package a sentence says how to install it', async () => {
  expect(await said()).toBe(
    'bad_argument Local sentence encoders need the package "@huggingface/transformers"; install it with: npm install @huggingface/transformers@4',
  );
});

test('with one that does not load, also why', async () => {
  await mkdir(join(folder, packageFolder), { recursive: true });
  await writeFile(join(folder, packageFolder, 'package.json'), '{"main":"main.js"}');
  await writeFile(join(folder, packageFolder, 'main.js'), 'throw new Error("no binary for this platform")');
  expect(await said()).toMatch(/^bad_argument .*does not load \(no binary for this platform\); install it with/);
  await writeFile(join(folder, packageFolder, 'main.js'), 'require("another-package")');
  expect(await said()).toMatch(/does not load \(Cannot find module 'another-package'/);
});
