import type { Address, Email } from 'postal-mime';
import { reasonOf } from '../core/errors.js';
import type { Json } from '../core/ports.js';
import type { NoReading, Reading } from './formats.js';
import { readHtml } from './html.js';
import { paragraphBlocks } from './plain-text.js';

/** An email: title is the subject; sender (also as `author`), recipients, date and names of attachments are metadata. */
export async function readEml(bytes: Uint8Array): Promise<Reading | NoReading> {
  try {
    const { default: PostalMime } = await import('postal-mime');
    const email = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1_000_000 });
    if (email.headers.length === 0) return { reason: 'damaged', detail: 'there are no headers of an email' };
    const body = await bodyOf(email);
    if ('reason' in body) return body;
    const names = email.attachments.map(({ filename }) => filename ?? 'without a name');
    const named = names.length === 0 ? '' : `Attachments: ${names.join(', ')}`;
    const start = body.text.trimEnd();
    const text = [start, named]
      .filter((part) => part !== '')
      .join('\n\n')
      .replaceAll('\0', '\u2400');
    const title = email.subject?.trim();
    if (text === '' && !title) return { reason: 'empty', detail: 'it has neither a subject nor words' };
    if (text === '')
      return {
        text: title!,
        title: title!,
        metadata: metadataOf(email),
        blocks: paragraphBlocks(title!, 0, title!.length),
      };
    const blocks = [...body.blocks, ...paragraphBlocks(text, text.length - named.length, text.length)];
    const { notes } = body;
    return { text, blocks, metadata: metadataOf(email, names), ...(title && { title }), ...(notes && { notes }) };
  } catch (error) {
    return { reason: 'damaged', detail: reasonOf(error) };
  }
}

async function bodyOf({ text, html }: Email): Promise<Reading | NoReading> {
  if (text !== undefined && text.trim() !== '') return { text, blocks: paragraphBlocks(text, 0, text.length) };
  return html === undefined ? { text: '', blocks: [] } : readHtml(html);
}

function metadataOf({ from, to, cc, date }: Email, attachments: readonly string[] = []): Record<string, Json> {
  return {
    ...(from && { from: addressOf(from), author: addressOf(from) }),
    ...(to && { to: to.map(addressOf) }),
    ...(cc && { cc: cc.map(addressOf) }),
    ...(date && { date }),
    ...(attachments.length > 0 && { attachments }),
  };
}

function addressOf({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressOf).join(', ')}`;
  return name && address ? `${name} <${address}>` : (address ?? name);
}
