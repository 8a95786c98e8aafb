import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const data = resolve(root, process.env.SURMISE_DATA ?? '../shared/data');

/** Small enough for every run of the tests; `npm run quality` measures all collections. */
const collections = ['nfcorpus', 'cranfield', 'faquad'];

test.for(collections)('%s reaches its targets', { timeout: 600_000 }, async (name, context) => {
  const here = existsSync(resolve(data, name));
  const reason = `the collection ${name} is not at ${data}; set SURMISE_DATA`;
  if (!here && process.env.CI === 'true') throw new Error(reason);
  if (!here) context.skip(reason);
  const child = spawn(process.execPath, ['scripts/quality.js', name], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  const code = await new Promise((done) => child.on('close', done));
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Every target holds.') });
});
