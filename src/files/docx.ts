import { reasonOf } from '../core/errors.js';
import type { NoReading, Reading } from './formats.js';
import { readHtml } from './html.js';
import { unpacksWithin } from './zip.js';

/** Bytes of the parts with text when unpacked. The tree of the text takes many times its memory. */
const maxUnpacked = 30_000_000;
/** How the container of old Office files begins, which also holds encrypted new ones. */
const compound = [0xd0, 0xcf, 0x11, 0xe0];

/** A Word document: headings, paragraphs, lists, tables and notes, read as HTML. Pictures are not unpacked. */
export async function readDocx(bytes: Uint8Array): Promise<Reading | NoReading> {
  if (compound.every((byte, index) => bytes[index] === byte))
    return { reason: 'encrypted', detail: 'it is protected by a password, or a .doc by another name' };
  try {
    if (!(await unpacksWithin(bytes, maxUnpacked)))
      return { reason: 'size', detail: `its text unpacks to more than ${maxUnpacked} bytes` };
    const { default: mammoth } = await import('mammoth');
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        externalFileAccess: false,
      },
    );
    const reading = await readHtml(value);
    if ('text' in reading && reading.text.trim() === '') return { reason: 'empty', detail: 'there are no words in it' };
    return reading;
  } catch (error) {
    return { reason: 'damaged', detail: reasonOf(error) };
  }
}
