import { readFileSync } from 'node:fs';
import wabt from 'wabt';

const pageBytes = 65_536;

/** A function that sums a copy of the numbers with SIMD: the yardstick of memory speed. Their count is a multiple of 16. */
export async function float32Sum(numbers) {
  const source = readFileSync(new URL('./float32-sum.wat', import.meta.url), 'utf8');
  const parsed = (await wabt()).parseWat('float32-sum.wat', source, { simd: true });
  const { instance } = await WebAssembly.instantiate(parsed.toBinary({}).buffer);
  const { memory, sum } = instance.exports;
  memory.grow(Math.ceil(numbers.byteLength / pageBytes));
  new Float32Array(memory.buffer, 0, numbers.length).set(numbers);
  return () => sum(0, numbers.byteLength);
}
