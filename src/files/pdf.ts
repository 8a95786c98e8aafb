import type { Block } from '../core/chunk.js';
import { reasonOf } from '../core/errors.js';
import type { NoReading, Reading } from './formats.js';
import { type CommonFields, commonFields, isoDate, splitTags, tagsOf } from './metadata-fields.js';
import { paragraphBlocks } from './plain-text.js';

const maxPages = 5_000;
/** In UTF-16 units. */
const maxLength = 10_000_000;
const maxMilliseconds = 60_000;
/** UTF-16 units of a field of the document's own data. */
const maxInfo = 2_000;
/** Lines further apart than this many heights of their letters are two paragraphs. */
const paragraphGap = 1.7;

/**
 * The text layer of a PDF, page by page; the heading of a chunk is its page. Title, author, tags and dates are those of
 * the document's own data. What is above a limit of pages, length or time is left out, which is noted.
 */
export async function readPdf(bytes: Uint8Array): Promise<Reading | NoReading> {
  try {
    return await pagesOf(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      return { reason: 'encrypted', detail: 'it opens only with a password' };
    return { reason: 'damaged', detail: reasonOf(error) };
  }
}

async function pagesOf(bytes: Uint8Array): Promise<Reading | NoReading> {
  const { getDocumentProxy } = await import('unpdf');
  // A copy: the parser takes the memory over.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
  try {
    const deadline = performance.now() + maxMilliseconds;
    const blocks: Block[] = [];
    const notes: string[] = [];
    let text = '';
    for (let number = 1; number <= pdf.numPages; number++) {
      if (number > maxPages || text.length > maxLength || performance.now() > deadline) {
        notes.push(`only the first ${number - 1} of ${pdf.numPages} pages are read`);
        break;
      }
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      const start = text.length;
      text += `${linesOf(items as readonly TextItem[])}\n\n`;
      blocks.push(...paragraphBlocks(text, start, text.length, [`page ${number}`]));
    }
    if (text.trim() === '')
      return { reason: 'empty', detail: `${pdf.numPages} pages without text; they may be pictures of a scanner` };
    const { title, fields } = await infoOf(pdf);
    return { text, blocks, notes, metadata: { pages: pdf.numPages, ...fields }, ...(title && { title }) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

interface TextItem {
  /** Absent in marks of structure. */
  readonly str?: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** Text in the order of the page's own program, with a blank line where the next line is far away. */
function linesOf(items: readonly TextItem[]): string {
  let text = '';
  let last: number | undefined;
  for (const { str, hasEOL, height, transform } of items) {
    if (str === undefined) continue;
    const y = transform[5] ?? 0;
    if (str.trim() !== '') {
      if (last !== undefined && text.endsWith('\n') && Math.abs(last - y) > paragraphGap * height) text += '\n';
      last = y;
    }
    text += hasEOL ? `${str}\n` : str;
  }
  return text.replaceAll('\0', '\u2400').trimEnd();
}

interface Info {
  readonly title?: string;
  readonly fields: CommonFields;
}

async function infoOf(pdf: { getMetadata(): Promise<{ info: object }> }): Promise<Info> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const said = (name: string): string => {
    const value: unknown = Object.hasOwn(info, name) ? info[name as keyof typeof info] : undefined;
    return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, maxInfo) : '';
  };
  const title = said('Title');
  const author = said('Author');
  const tags = tagsOf([splitTags(said('Keywords'))]);
  const [date, updated] = [pdfDate(said('CreationDate')), pdfDate(said('ModDate'))];
  return {
    // What programs write when nobody gave a title.
    ...(!/^(?:untitled|Microsoft (?:Word|PowerPoint) - .*)?$/i.test(title) && { title }),
    fields: commonFields({ author, tags, date, updated }),
  };
}

/** `D:20240501103000+02'00'` as ISO 8601. ISO 32000-1, section 7.9.4; parts behind the day may be missing. */
function pdfDate(text: string): string | undefined {
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', zone] =
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d(?:'?\d\d)?)?/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}${zone?.replace("'", '') ?? ''}`;
  return isoDate(`${year}-${month}-${day}${time}`);
}
