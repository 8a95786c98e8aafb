/** Numbers up to this are exact and take at most eight bytes. */
const largest = Number.MAX_SAFE_INTEGER;

export interface ByteWriter {
  readonly length: number;
  /** LEB128 of a whole number of 0 or more. */
  number(value: number): void;
  append(bytes: Uint8Array): void;
  /** A copy of what was written so far. */
  bytes(): Uint8Array;
  clear(): void;
}

export function byteWriter(capacity = 64): ByteWriter {
  let buffer = new Uint8Array(Math.max(16, capacity));
  let length = 0;
  const room = (more: number) => {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more));
    larger.set(buffer);
    buffer = larger;
  };
  return {
    get length() {
      return length;
    },
    number(value) {
      room(8);
      let rest = value;
      while (rest >= 0x80) {
        buffer[length++] = (rest % 0x80) + 0x80;
        rest = Math.floor(rest / 0x80);
      }
      buffer[length++] = rest;
    },
    append(bytes) {
      room(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    bytes: () => buffer.slice(0, length),
    clear() {
      length = 0;
    },
  };
}

export interface ByteReader {
  readonly remaining: number;
  /** @throws RangeError at the end of the bytes, and for a number that is too large */
  number(): number;
  /** A view of the next bytes. @throws RangeError where there are fewer */
  take(length: number): Uint8Array;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  return {
    get remaining() {
      return bytes.length - at;
    },
    number() {
      let value = 0;
      for (let scale = 1; ; scale *= 0x80) {
        const byte = bytes[at++];
        if (byte === undefined) throw new RangeError('Bytes that end too early');
        value += (byte & 0x7f) * scale;
        if (value > largest) throw new RangeError('A number that is too large');
        if (byte < 0x80) return value;
        // Leading zeros would go on for ever otherwise.
        if (scale > largest) throw new RangeError('A number that is too long');
      }
    },
    take(length) {
      if (length > bytes.length - at) throw new RangeError('Bytes that end too early');
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}
