import { decode } from './decode.js';
import type { Reader, Reading } from './formats.js';

/** The reader of a format that is text in itself: bytes are decoded, and what `parse` finds is about all of it. */
export function fromText(parse: (text: string) => Omit<Reading, 'text'>): Reader {
  return async (bytes) => {
    const decoded = decode(bytes);
    if (decoded === undefined) return { reason: 'binary', detail: 'its first bytes are not those of a text' };
    const { text, notes, metadata } = decoded;
    if (text.trim() === '') return { reason: 'empty', detail: `${bytes.length} bytes` };
    const reading = parse(text);
    return {
      ...reading,
      text,
      metadata: { ...reading.metadata, ...metadata },
      notes: [...notes, ...(reading.notes ?? [])],
    };
  };
}
