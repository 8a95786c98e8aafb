const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** CRC-32 as of zlib and PNG (ISO 3309), 0 to 2^32 - 1: finds every change of up to 32 bits in a row. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (let at = 0; at < bytes.length; at++) value = table[(value ^ bytes[at]!) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}
