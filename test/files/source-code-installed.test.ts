import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samples } from './source-samples.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));

/** Where nothing is installed but what a test puts there. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const readers = (await readdir(join(source, 'files'))).filter((name) => name.startsWith('source-'));
  const names = ['from-text.ts', 'decode.ts', 'plain-text.ts', ...readers].map((name) => `files/${name}`);
  for (const name of ['core/errors.ts', 'core/text-segments.ts', ...names]) {
    const code = await readFile(join(source, name), 'utf8');
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
      fileName: name,
    });
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
  await writeFile(
    join(folder, 'main.js'),
    `import { sourceFormats } from './files/source-code.js';
     import { grammarsPresent } from './files/source-grammar.js';
     const files = {};
     for (const [name, text] of Object.entries(${JSON.stringify(samples)})) {
       const format = sourceFormats.find(({ extensions }) => extensions.includes(name.slice(2)));
       const { blocks, notes } = await format.read(Buffer.from(text));
       files[name] = { headings: blocks.map(({ heading }) => heading.join(' > ')), notes, variant: await format.variant() };
     }
     console.log(JSON.stringify({ present: await grammarsPresent(), files }));`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

interface Outcome {
  readonly present: readonly string[];
  readonly files: Readonly<Record<string, { headings: string[]; notes: string[]; variant: string }>>;
}

async function outcome(): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.js')]);
  return JSON.parse(stdout) as Outcome;
}

test('without the package, all source code is split by lines, without a word about it', async () => {
  const { present, files } = await outcome();
  expect(present).toEqual([]);
  expect(Object.values(files).flatMap(({ notes }) => notes)).toEqual([]);
  expect(new Set(Object.values(files).map(({ variant }) => variant))).toEqual(new Set(['lines']));
  expect(files['a.py']?.headings).toContain('class Hive(Box) > def size(self)');
});

test('a grammar that is missing or damaged leaves the other ones working', async () => {
  const copy = join(folder, 'node_modules/@vscode/tree-sitter-wasm');
  await cp(dirname(grammars), copy, { recursive: true });
  const file = (grammar: string) => join(copy, 'wasm', `tree-sitter-${grammar}.wasm`);
  const ruby = await readFile(file('ruby'));
  const whole = (await outcome()).files;
  await rm(file('go'));
  await writeFile(file('ruby'), ruby.subarray(0, ruby.length / 2));
  await writeFile(file('rust'), '');
  await writeFile(file('bash'), 'not a module at all');
  await writeFile(
    file('java'),
    ruby.map((byte, index) => (index > 5_000 && index % 997 === 0 ? byte ^ 255 : byte)),
  );
  const { present, files } = await outcome();
  expect(present).not.toContain('Go');
  expect(files['a.go']).toMatchObject({ notes: [], variant: 'lines' });
  for (const name of ['a.rb', 'a.rs', 'a.sh', 'a.java']) {
    expect(files[name]?.notes, name).toEqual([expect.stringMatching(/^split by lines: ./)]);
    expect(files[name]?.variant, name).not.toBe(whole[name]?.variant);
  }
  for (const name of ['a.ts', 'a.js', 'a.py', 'a.cs', 'a.cpp', 'a.php']) {
    expect(files[name], name).toEqual(whole[name]);
  }
}, 60_000);

test('a runtime that does not start is noted for each file', async () => {
  await writeFile(join(folder, 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'), 'nothing');
  const { files } = await outcome();
  expect(files['a.py']).toMatchObject({ notes: [expect.stringMatching(/^split by lines: ./)] });
  expect(files['a.py']?.headings).toContain('class Hive(Box) > def size(self)');
});
