import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkspace } from '../cli/workspace.js';
import { writeTinyEncoder } from '../local/tiny-encoder.js';

const home = await makeWorkspace();
const model = join(home, 'tiny');
const cache = join(home, 'cache');

/** Fetches the model in a process of its own. */
const program = `
import { env } from '@huggingface/transformers';
import { sentenceEncoder } from '${new URL('../../dist/local/index.js', import.meta.url).href}';
const [, host, cache, download] = process.argv;
env.remoteHost = host;
try {
  const encoder = await sentenceEncoder({ model: 'harbour/tiny', cache, download: download === 'yes' });
  console.log(encoder.fingerprint.dimensions);
} catch (error) {
  console.log(error.code + ' ' + error.message);
}`;

const start = (host: string, download: 'yes' | 'no') =>
  spawn(process.execPath, ['--input-type=module', '-e', program, host, cache, download], {
    cwd: new URL('../../', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function run(host: string, download: 'yes' | 'no'): Promise<string> {
  const child = start(host, download);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output.trim();
}

test('FR-148 a download that was killed leaves no half of a model: the next start fetches it, and says so where it may not', async () => {
  await writeTinyEncoder(model);
  let onHalf = () => {};
  let whole = false;
  const server = createServer(async (request, response) => {
    const path = join(model, request.url!.replace('/harbour/tiny/resolve/main/', ''));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = await readFile(path);
    response.writeHead(200, { 'content-length': bytes.length });
    if (whole || !path.endsWith('.onnx')) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length >> 1), () => onHalf());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const child = start(host, 'yes');
    onHalf = () => child.kill('SIGKILL');
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');
    expect(existsSync(join(cache, 'harbour', 'tiny'))).toBe(false);
    expect(await run(host, 'no')).toMatch(/^unreadable .*nothing is fetched unasked/);

    // What the killed one left is removed when surely nobody is at it any more.
    const [left] = await readdir(cache);
    expect(left).toMatch(/^\.fetching-/);
    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(join(cache, left!), longAgo, longAgo);
    whole = true;
    expect(await run(host, 'yes')).toBe('8');
    expect(await readdir(cache)).toEqual(['harbour']);
    expect(await run('http://127.0.0.1:1/', 'no')).toBe('8');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 120_000);
