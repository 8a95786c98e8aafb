import { reasonOf } from '../core/errors.js';
import type { NoReading, Reading } from './formats.js';
import { readHtml } from './html.js';
import { type CommonFields, commonFields, isoDate, splitTags, tagsOf } from './metadata-fields.js';
import { unpackPart, unpacksWithin } from './zip.js';

/** Bytes of the parts with text when unpacked. The tree of the text takes many times its memory. */
const maxUnpacked = 30_000_000;
/** How the container of old Office files begins, which also holds encrypted new ones. */
const compound = [0xd0, 0xcf, 0x11, 0xe0];

/** Bytes of the part with the document's own data. */
const maxProperties = 100_000;

/**
 * A Word document: headings, paragraphs, lists, tables and notes, read as HTML. Author, tags and dates are those of its
 * own data. Pictures are not unpacked.
 */
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
    if ('reason' in reading) return reading;
    const metadata = fieldsOf((await unpackPart(bytes, 'docProps/core.xml', maxProperties)) ?? '');
    return { ...reading, ...(Object.keys(metadata).length > 0 && { metadata }) };
  } catch (error) {
    return { reason: 'damaged', detail: reasonOf(error) };
  }
}

/** Core properties, ECMA-376 part 2, section 11. */
function fieldsOf(xml: string): CommonFields {
  const said = (name: string) => unescaped(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)<`).exec(xml)?.[1] ?? '').trim();
  const author = said('dc:creator');
  const tags = tagsOf([splitTags(said('cp:keywords')), splitTags(said('cp:category'))]);
  const [date, updated] = [isoDate(said('dcterms:created')), isoDate(said('dcterms:modified'))];
  return commonFields({ author, tags, date, updated });
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!);
}
