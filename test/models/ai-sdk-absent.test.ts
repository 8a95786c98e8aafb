import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const strict: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.webworker.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
};

/** Where no package is installed. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const room of ['core', 'models']) await cp(join(source, room), join(folder, 'src', room), { recursive: true });
  // Compiled where "ai" can not be found, so that nothing of it can get into the types.
  const options = { ...strict, declaration: true, rootDir: join(folder, 'src'), outDir: folder };
  ts.createProgram([join(folder, 'src/models/ai-sdk.ts')], options).emit();
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

test('without the package "ai" the entry loads, and the first call says how to install it', async () => {
  await writeFile(
    join(folder, 'main.js'),
    `import { fromAiSdk, probeAiSdk } from './models/ai-sdk.js';
     const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doGenerate() {} };
     const embedding = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doEmbed() {} };
     const reranking = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doRerank() {} };
     const prompt = { system: '', user: 'q', question: 'q', passages: [] };
     const calls = [
       fromAiSdk(model).generate(prompt, { n: 1 }),
       fromAiSdk(embedding, { dimensions: 2 }).embed(['a'], { role: 'query' }),
       probeAiSdk(embedding),
       fromAiSdk(reranking).rerank('q', ['a'], {}),
     ];
     for (const { reason } of await Promise.allSettled(calls)) console.log(reason.code, reason.message);`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.js')]);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(/^bad_argument .*npm install ai@6$/);
});

test('without the package "ai" the types are whole', async () => {
  const consumer = join(folder, 'consumer.ts');
  await writeFile(
    consumer,
    `import { fromAiSdk, probeAiSdk } from './models/ai-sdk.js';
     import type { Embedder, Generator } from './core/ports.js';
     interface Model { specificationVersion: 'v3'; provider: string; modelId: string }
     declare const language: Model & { doGenerate(o: { prompt: string }): PromiseLike<{ content: string[] }> };
     declare const embedding: Model & {
       maxEmbeddingsPerCall: number | undefined;
       doEmbed(o: { values: string[] }): PromiseLike<{ embeddings: number[][] }>;
     };
     export const generator: Generator = fromAiSdk(language, { temperature: 1 });
     export const embedder: Embedder = fromAiSdk(embedding, { dimensions: 3 });
     export const probed: Promise<Embedder> = probeAiSdk(embedding);
     // @ts-expect-error An embedding model needs its dimensions.
     fromAiSdk(embedding);`,
  );
  const program = ts.createProgram([consumer], { ...strict, noEmit: true, skipLibCheck: false });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
});
