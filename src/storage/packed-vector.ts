/**
 * A vector of float32 in seven eighths of the room, every bit kept. Numbers of one vector are of like size, so of their
 * exponents most bits repeat. The highest exponent comes first; then for each number two lists: half a byte, how far its
 * exponent is below the highest, and three bytes, the sign with the 23 bits of the mantissa, lowest byte first. Numbers
 * 15 or more below the highest follow with their exponent, in order. A vector for which that is no shorter stays as it is:
 * its length says so.
 */
const far = 15;
const exponentBits = 0xff;
const mantissaBits = 23;
const mantissaMask = 2 ** mantissaBits - 1;
const signOfThree = 2 ** mantissaBits;

function fixedLength(dimensions: number): number {
  return 1 + Math.ceil(dimensions / 2) + 3 * dimensions;
}

/** Views of the same memory as the vector's where they are not packed. */
export function packVector(vector: Float32Array): Uint8Array {
  const plain = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  const bits = new Uint32Array(vector.buffer, vector.byteOffset, vector.length);
  let highest = 0;
  for (let at = 0; at < bits.length; at++) highest = Math.max(highest, (bits[at]! >>> mantissaBits) & exponentBits);
  let others = 0;
  for (let at = 0; at < bits.length; at++) if (highest - ((bits[at]! >>> mantissaBits) & exponentBits) >= far) others++;
  const fixed = fixedLength(bits.length);
  if (fixed + others >= plain.length) return plain;

  const packed = new Uint8Array(fixed + others);
  packed[0] = highest;
  let rest = 1 + Math.ceil(bits.length / 2);
  let next = fixed;
  for (let at = 0; at < bits.length; at++) {
    const value = bits[at]!;
    const exponent = (value >>> mantissaBits) & exponentBits;
    const below = Math.min(far, highest - exponent);
    packed[1 + (at >> 1)]! |= below << ((at & 1) * 4);
    if (below === far) packed[next++] = exponent;
    packed[rest++] = value;
    packed[rest++] = value >>> 8;
    packed[rest++] = ((value >>> 16) & 0x7f) | ((value >>> 24) & 0x80);
  }
  return packed;
}

/** The vector that was packed; undefined for bytes that are none of so many dimensions. */
export function unpackVector(bytes: Uint8Array, dimensions: number): Float32Array | undefined {
  // The bytes may start anywhere in their buffer; a copy is aligned.
  if (bytes.length === dimensions * Float32Array.BYTES_PER_ELEMENT)
    return new Float32Array(Uint8Array.from(bytes).buffer);
  const fixed = fixedLength(dimensions);
  if (bytes.length < fixed) return undefined;
  const bits = new Uint32Array(dimensions);
  const highest = bytes[0]!;
  let rest = 1 + Math.ceil(dimensions / 2);
  let next = fixed;
  for (let at = 0; at < dimensions; at++) {
    const below = (bytes[1 + (at >> 1)]! >>> ((at & 1) * 4)) & far;
    // Beyond the end or below 0 is no exponent.
    const exponent = below === far ? (bytes[next++] ?? -1) : highest - below;
    if (exponent < 0) return undefined;
    const low = bytes[rest]! | (bytes[rest + 1]! << 8) | (bytes[rest + 2]! << 16);
    rest += 3;
    bits[at] = ((low & signOfThree) << 8) | (exponent << mantissaBits) | (low & mantissaMask);
  }
  return next === bytes.length ? new Float32Array(bits.buffer) : undefined;
}
