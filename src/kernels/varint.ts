/** LEB128 unsigned integers up to 2^53 - 1, lowest seven bits first. */
export interface ByteWriter {
  /** Bytes written so far. */
  readonly length: number;
  unsigned(value: number): void;
  bytes(value: Uint8Array): void;
  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer>;
  /** Begins anew, in the same memory. */
  clear(): void;
}

export function createByteWriter(capacity = 64): ByteWriter {
  let buffer = new Uint8Array(Math.max(16, capacity));
  let length = 0;
  function reserve(more: number): void {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }
  return {
    get length() {
      return length;
    },
    unsigned(value) {
      reserve(8);
      let rest = value;
      while (rest > 127) {
        buffer[length++] = (rest % 128) | 128;
        rest = Math.floor(rest / 128);
      }
      buffer[length++] = rest;
    },
    bytes(value) {
      reserve(value.length);
      buffer.set(value, length);
      length += value.length;
    },
    finish: () => buffer.slice(0, length),
    clear() {
      length = 0;
    },
  };
}

export interface ByteReader {
  readonly remaining: number;
  unsigned(): number;
  /** A view, not a copy. */
  bytes(length: number): Uint8Array;
}

/** Reads what a writer wrote. Every read past the end or beyond 2^53 - 1 is a RangeError that begins with `what`. */
export function createByteReader(source: Uint8Array, what: string): ByteReader {
  let at = 0;
  const damaged = (reason: string) => new RangeError(`${what} are damaged: ${reason}.`);
  return {
    get remaining() {
      return source.length - at;
    },
    unsigned() {
      let value = 0;
      let scale = 1;
      for (let count = 0; count < 8; count++) {
        const byte = source[at++];
        if (byte === undefined) throw damaged('they end in the middle of a number');
        value += (byte & 127) * scale;
        if (byte < 128) {
          if (value > Number.MAX_SAFE_INTEGER) break;
          return value;
        }
        scale *= 128;
      }
      throw damaged('a number is too large');
    },
    bytes(length) {
      if (length > source.length - at) throw damaged('they end too early');
      at += length;
      return source.subarray(at - length, at);
    },
  };
}
