/**
 * node scripts/wasm.js    assembles every src/**\/NAME.wat
 *
 * Writes src/**\/NAME.wasm.ts, which exports the bytes, so that a room takes them in wherever it runs; and
 * dist/**\/NAME.wasm, for platforms that compile WebAssembly only from files of a deployment.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import initWabt from 'wabt';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = (await readdir(join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.wat'));
const wabt = await initWabt();

for (const source of sources.sort()) {
  const module = wabt.parseWat(source, await readFile(join(root, 'src', source), 'utf8'), { simd: true });
  module.validate({ simd: true });
  const bytes = module.toBinary({}).buffer;
  module.destroy();
  const name = source.replace(/\.wat$/, '.wasm');
  await write(join(root, 'dist', name), bytes);
  await write(join(root, 'src', `${name}.ts`), typescript(source, bytes));
}

/**
 * @param {string} source
 * @param {Uint8Array} bytes
 */
function typescript(source, bytes) {
  return `// Assembled from ${source.split(/[\\/]/).at(-1)} by scripts/wasm.js.\nexport const bytes = Uint8Array.of(${bytes.join(',')});\n`;
}

/**
 * A file that is as it should be keeps its time, so that tsc has nothing to do.
 *
 * @param {string} path
 * @param {Uint8Array | string} content
 */
async function write(path, content) {
  const wanted = Buffer.from(content);
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(wanted)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, wanted);
}
