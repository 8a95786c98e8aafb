/**
 * A stream of 32-bit numbers that is the same for the same seed on every machine: SplitMix32, the 32-bit form of
 * SplitMix64 (Steele, Lea and Flood 2014), period 2^32. For resampling, not for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}
