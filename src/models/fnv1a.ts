/** FNV-1a, 32 bit (Fowler, Noll, Vo), of bytes or of a text's UTF-16 units, low byte first. Not a secure hash. */
export function fnv1a(data: Uint8Array | string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  if (typeof data === 'string')
    for (let i = 0; i < data.length; i++) {
      const unit = data.charCodeAt(i);
      hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
      hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
    }
  else for (let i = 0; i < data.length; i++) hash = Math.imul(hash ^ data[i]!, 0x01000193);
  return hash >>> 0;
}

/** Eight hexadecimal digits. */
export function hex32(hash: number): string {
  return hash.toString(16).padStart(8, '0');
}
