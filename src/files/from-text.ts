import { reasonOf } from '../core/errors.js';
import { decode } from './decode.js';
import type { NoReading, Reader, Reading } from './formats.js';

/** `text` is given where it is not the file's own. */
export type TextReading = Omit<Reading, 'text'> & { readonly text?: string };

/** The reader of a format that is text in itself: bytes are decoded, and what `parse` finds is about all of it. */
export function fromText(parse: (text: string) => TextReading | NoReading | Promise<TextReading | NoReading>): Reader {
  return async (bytes) => {
    const decoded = decode(bytes);
    if (decoded === undefined) return { reason: 'binary', detail: 'its first bytes are not those of a text' };
    const { text, notes, metadata } = decoded;
    if (text.trim() === '') return { reason: 'empty', detail: `${bytes.length} bytes` };
    try {
      const reading = await parse(text);
      if ('reason' in reading) return reading;
      if (reading.text?.trim() === '') return { reason: 'empty', detail: 'there are no words in it' };
      return {
        text,
        ...reading,
        metadata: { ...reading.metadata, ...metadata },
        notes: [...notes, ...(reading.notes ?? [])],
      };
    } catch (error) {
      return { reason: 'damaged', detail: reasonOf(error) };
    }
  };
}
