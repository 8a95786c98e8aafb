import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const reporter = new URL('./report-memory.js', import.meta.url).href;

/** Runs a Node program as a process of its own: wall seconds from start to exit, and peak memory in MB. */
export function measure(node, args, env = {}) {
  const report = join(tmpdir(), `surmise-bench-${process.pid}-${Date.now()}`);
  const started = performance.now();
  const child = spawn(node, ['--import', reporter, ...args], {
    env: { ...process.env, ...env, SURMISE_BENCH_REPORT: report, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - started) / 1_000;
      if (code !== 0) return reject(new Error(`${args.join(' ')} ended with ${code ?? signal}:\n${output}`));
      const { maxRss } = JSON.parse(readFileSync(report, 'utf8'));
      rmSync(report);
      resolve({ seconds, megabytes: maxRss / 1_000, output });
    });
  });
}

/** Minimum, median and maximum. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = Number.isInteger(middle) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)];
  return { min: sorted[0], median, max: sorted.at(-1) };
}
