import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text';
import type { Block } from '../core/chunk.js';
import type { NoReading, Reading } from './formats.js';
import { type CommonFields, commonFields, isoDate, splitTags, tagsOf } from './metadata-fields.js';
import { paragraphBlocks } from './plain-text.js';

/** In UTF-16 units. */
const maxLength = 10_000_000;
/** Elements within each other. */
const maxDepth = 500;
/** Rows of tables up to this length in UTF-16 units are one line; others lay out a page. */
const maxRow = 2_000;
/** Elements that say something about the page, and UTF-16 units of each. */
const maxMeta = 100;
const maxContent = 1_000;
/** Stands before the marks of a heading until its place is known; parsers let no NUL through. */
const mark = '\0';
/** Stands where something is nested too deep. */
const cut = '\0\0';
/** The rest of a tag. Bounded, since what is no tag is looked through from every name on. */
const attributes = String.raw`(?=[\s/>])(?:[^<>"']|"[^"]{0,500}"|'[^']{0,500}'){0,1000}>`;
const blockNames =
  'div|section|article|main|header|footer|aside|center|p|ul|ol|li|dl|dd|dt|blockquote|form|fieldset|details';
const tableNames = 'table|caption|tbody|thead|tfoot|tr|td|th';
/** Tags that lay out a page, and those within a line; without them its words are still there. */
const blockTags = new RegExp(`(?:</?(?:${blockNames}|${tableNames})${attributes}\\s*)+`, 'gi');
const inlineTags = new RegExp(
  `</?(?:span|font|b|i|u|em|strong|small|big|a|q|s|sub|sup|code|tt|mark)${attributes}`,
  'gi',
);

const skipped = [
  ...['script', 'style', 'noscript', 'template', 'nav', '[role=navigation]', '[hidden]', 'svg', 'annotation'],
  ...['iframe', 'object', 'canvas', 'audio', 'video', 'select', 'button', 'input', 'textarea', 'dialog'],
];

/**
 * The words of an HTML page: headings with `#` marks before them, rows of tables as `cell | cell`, images as their
 * alternative text, links as theirs; scripts, styles, navigation and controls left out. The title is that of the page,
 * else its first heading of level 1; author, tags and dates are those of its `meta` elements.
 */
export async function readHtml(html: string): Promise<Reading | NoReading> {
  if (html.length > maxLength) return { reason: 'size', detail: `HTML longer than ${maxLength} characters` };
  const { convert } = await import('html-to-text');
  const render = (source: string) => {
    const found: Found = { meta: [] };
    return { found, rendered: convert(source.replaceAll(mark, ' '), optionsOf(found)) };
  };
  const notes: string[] = [];
  let { found, rendered } = render(html);
  if (rendered.includes(cut)) {
    // Paragraphs do not nest.
    ({ found, rendered } = render(html.replace(blockTags, '<p>').replace(inlineTags, '')));
    if (rendered.replaceAll(cut, '').trim() === '')
      return { reason: 'damaged', detail: `all is nested deeper than ${maxDepth} elements` };
    const deep = `nested deeper than ${maxDepth} elements`;
    notes.push(
      rendered.includes(cut)
        ? `${deep}: read without its layout, and not all of it`
        : `${deep}: read without its layout`,
    );
    rendered = rendered.replaceAll(cut, '…');
  }
  const { text, blocks, h1 } = placed(rendered);
  const title = found.title || h1;
  const metadata = fieldsOf(found.meta);
  return {
    text,
    blocks,
    ...(title && { title }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(notes.length > 0 && { notes }),
  };
}

interface Found {
  title?: string;
  /** Name in lower case and content of each `meta` element that has both. */
  readonly meta: [string, string][];
}

/** Names of `meta` elements: those of HTML, of Dublin Core and of the Open Graph protocol. */
const metaNames = {
  author: ['author', 'dc.creator', 'dcterms.creator', 'article:author'],
  tags: ['keywords', 'article:tag', 'dc.subject'],
  date: ['date', 'article:published_time', 'dc.date', 'dcterms.created'],
  updated: ['last-modified', 'article:modified_time', 'og:updated_time', 'dcterms.modified'],
};

function fieldsOf(meta: readonly [string, string][]): CommonFields {
  const of = (names: readonly string[]) => names.flatMap((name) => meta.filter(([given]) => given === name));
  const authors = [...new Set(of(metaNames.author).map(([, content]) => content))];
  const tags = tagsOf(of(metaNames.tags).map(([, content]) => splitTags(content)));
  const dateOf = (names: readonly string[]) =>
    of(names)
      .map(([, content]) => isoDate(content))
      .find((text) => text !== undefined);
  const [date, updated] = [dateOf(metaNames.date), dateOf(metaNames.updated)];
  return commonFields({ author: authors.length === 1 ? authors[0]! : authors, tags, date, updated });
}

function optionsOf(found: Found): HtmlToTextOptions {
  const title: FormatCallback = (element) => {
    found.title ??= flat(element.children).replaceAll(cut, '').trim();
  };
  const meta: FormatCallback = ({ attribs }) => {
    const name: unknown = attribs?.name ?? attribs?.property;
    const content: unknown = attribs?.content;
    if (typeof name !== 'string' || typeof content !== 'string' || content.trim() === '') return;
    if (found.meta.length < maxMeta) found.meta.push([name.trim().toLowerCase(), content.trim().slice(0, maxContent)]);
  };
  const levels = [1, 2, 3, 4, 5, 6];
  return {
    wordwrap: false,
    baseElements: { selectors: [] },
    limits: { maxInputLength: maxLength, maxDepth, ellipsis: cut },
    formatters: { title, meta, heading, row, image },
    selectors: [
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
      ...levels.map((level) => ({ selector: `h${level}`, format: 'heading', options: { level } })),
      { selector: 'title', format: 'title' },
      { selector: 'meta', format: 'meta' },
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'image' },
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'row' },
      { selector: 'td', format: 'block' },
      { selector: 'th', format: 'block' },
      { selector: 'hr', format: 'lineBreak' },
    ],
  };
}

const heading: FormatCallback = (element, _walk, builder, { level }) => {
  const words = flat(element.children).trim();
  if (words === '') return;
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${mark}${'#'.repeat(level)} ${words}`);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const row: FormatCallback = (element, walk, builder) => {
  const children = element.children ?? [];
  const cells = children.filter(({ name }) => name === 'td' || name === 'th');
  const line = cells
    .map((cell) => flat(cell.children).trim())
    .filter((words) => words !== '')
    .join(' | ');
  builder.openBlock({ leadingLineBreaks: 1 });
  if (line.length > maxRow || cells.some((cell) => holdsBlocks(cell))) walk(children, builder);
  else builder.addInline(line);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const image: FormatCallback = (element, _walk, builder) => {
  const alt: unknown = element.attribs?.alt;
  if (typeof alt === 'string' && alt.trim() !== '') builder.addInline(alt);
};

const inRows = /^(?:table|h[1-6]|ul|ol|pre|blockquote)$/;

function holdsBlocks(element: DomNode, depth = 0): boolean {
  if (depth > maxDepth) return true;
  return (element.children ?? []).some((child) => inRows.test(child.name ?? '') || holdsBlocks(child, depth + 1));
}

const unread = /^(?:script|style|template|noscript|svg|select|button)$/;

/** The words of nodes on one line. */
function flat(nodes: readonly DomNode[] | undefined, depth = 0): string {
  if (nodes === undefined) return '';
  if (depth > maxDepth) return cut;
  const words = nodes.map((node) => {
    if (node.type === 'text') return node.data ?? '';
    if (unread.test(node.name ?? '')) return '';
    if (node.name === 'img') return String(node.attribs?.alt ?? '');
    const inner = flat(node.children, depth + 1);
    return /^(?:p|div|br|li)$/.test(node.name ?? '') ? ` ${inner} ` : inner;
  });
  return words.join('').replace(/\s+/g, ' ');
}

/** The text without the marks of headings, and its paragraphs under the headings that they stand below. */
function placed(rendered: string): { text: string; blocks: Block[]; h1: string | undefined } {
  const parts = rendered.split(mark);
  const text = parts.join('');
  const blocks: Block[][] = [];
  const sections: { depth: number; title: string }[] = [];
  let h1: string | undefined;
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const [, marks, title] = (index > 0 && /^(#{1,6}) (.*)/.exec(part)) || [];
    if (marks !== undefined && title !== undefined) {
      while (sections.length > 0 && sections.at(-1)!.depth >= marks.length) sections.pop();
      sections.push({ depth: marks.length, title });
      if (marks.length === 1) h1 ??= title;
    }
    const path = sections.map((section) => section.title);
    const found = paragraphBlocks(text, start, start + part.length, path);
    if (marks !== undefined && found[0] !== undefined) found[0] = { ...found[0], kind: 'heading' };
    blocks.push(found);
    start += part.length;
  }
  return { text, blocks: blocks.flat(), h1 };
}
