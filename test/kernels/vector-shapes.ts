/** Numbers in [0, 1) that depend on the seed only. */
export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

export const shapes = ['unit', 'any length', 'sparse', 'outlier', 'equal', 'zero', 'clustered', 'opposite'] as const;
export type Shape = (typeof shapes)[number];

export function vectorsOf(shape: Shape, count: number, dimensions: number, next: () => number): Float32Array[] {
  const one = () => Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5);
  const centres = Array.from({ length: 5 }, one);
  return Array.from({ length: count }, () => {
    const vector = one();
    if (shape === 'any length') return vector.map((value) => value * 10 ** Math.round(next() * 60 - 30));
    if (shape === 'sparse') return vector.map((value) => (next() < 0.9 ? 0 : value));
    if (shape === 'outlier') vector[Math.floor(next() * dimensions)] = 1e4;
    if (shape === 'equal') return centres[Math.floor(next() * 2)]!.slice();
    if (shape === 'zero' && next() < 0.7) return vector.fill(0);
    if (shape === 'clustered') {
      const centre = centres[Math.floor(next() * 5)]!;
      return vector.map((value, at) => centre[at]! + value * 1e-3);
    }
    if (shape === 'opposite') {
      const sign = next() < 0.5 ? 1 : -1;
      return centres[0]!.map((value) => value * sign);
    }
    return vector;
  });
}
