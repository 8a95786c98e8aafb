import type { Block } from '../core/chunk.js';
import { messageOf } from '../core/errors.js';
import type { Reading } from './formats.js';
import { type FrontMatter, readFrontMatter } from './front-matter.js';
import { markdownBlocks } from './markdown-blocks.js';
import { headingText, htmlHeading } from './markdown-heading.js';
import type { MarkdownNode } from './markdown-starts.js';
import { readPlainText } from './plain-text.js';

/** Longer texts are read as plain text: the tree of a text takes many times its memory. */
const maxLength = 4_000_000;
/** Quotes and lists within each other on one line. */
const deepNesting = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){100}/m;
/** Lists and quotes longer than this in UTF-16 units are blocks by their items. */
const longContainer = 1_000;

/**
 * Markdown (CommonMark and GFM) with YAML front matter. A heading belongs to the section that it opens. The title is
 * that of the front matter, else the first heading of level 1. What can not be taken apart is read as plain text,
 * which is noted.
 */
export function readMarkdown(text: string): Omit<Reading, 'text'> {
  if (text.length > maxLength) return asPlain(text, `longer than ${maxLength} characters`);
  if (deepNesting.test(text)) return asPlain(text, 'quotes or lists are nested too deep');
  try {
    return parse(text);
  } catch (error) {
    return asPlain(text, messageOf(error));
  }
}

function asPlain(text: string, why: string): Omit<Reading, 'text'> {
  return { ...readPlainText(text), notes: [`read as plain text: ${why}`] };
}

function parse(text: string): Omit<Reading, 'text'> {
  const blocks: Block[] = [];
  const sections: { depth: number; title: string }[] = [];
  const matter = frontMatter(text);
  let path: readonly string[] = [];
  let h1: string | undefined;
  if (matter?.block !== undefined) blocks.push(matter.block);
  for (const node of markdownBlocks(text, matter?.from ?? (text.startsWith('\uFEFF') ? 1 : 0))) {
    if (node.kind === 'heading') {
      const depth = node.depth!;
      while (sections.length > 0 && sections.at(-1)!.depth >= depth) sections.pop();
      const title = headingText(node.title!);
      if (title !== '') sections.push({ depth, title });
      if (depth === 1) h1 ??= title || undefined;
      path = sections.map((section) => section.title);
    } else if (node.kind === 'html') h1 ??= htmlHeading(text.slice(node.start, node.end));
    for (const block of blocksOf(node, node.start, node.end, path)) blocks.push(block);
  }
  const { title = h1, metadata, notes } = matter?.values ?? {};
  return { blocks, ...(title && { title }), ...(metadata && { metadata }), ...(notes && { notes }) };
}

/** Lines of `---` or `+++` at the head and what is between them; TOML is passed over, and what is no YAML is text. */
function frontMatter(text: string): { from: number; values?: FrontMatter; block?: Block } | undefined {
  const opening = /^\uFEFF?(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)/.exec(text);
  if (opening === null) return undefined;
  const [{ length }, fence] = opening as unknown as [string, '---' | '+++'];
  const closing = fence === '---' ? /^---[ \t]*$/gm : /^\+\+\+[ \t]*$/gm;
  closing.lastIndex = length;
  const end = closing.exec(text);
  if (end === null) return undefined;
  const from = end.index + end[0].length;
  if (fence === '+++') return { from };
  const values = readFrontMatter(text.slice(length, end.index));
  if (values !== undefined) return { from, values };
  return { from, block: { start: 0, end: from, heading: [], kind: 'paragraph' } };
}

/** One block a node; a long list or quote is cut between its items, and each keeps the marks before it. */
function blocksOf(node: MarkdownNode, start: number, end: number, heading: readonly string[]): Block[] {
  const { children, kind } = node;
  const container = kind === 'list' || kind === 'item' || kind === 'quote';
  if (!container || end - start <= longContainer || children.length === 0) {
    return [{ start, end, heading, kind: kind === 'item' ? 'list' : kind }];
  }
  let from = start;
  return children.flatMap((child, index) => {
    const to = index === children.length - 1 ? end : child.end;
    const blocks = blocksOf(child, from, to, heading);
    from = to;
    return blocks;
  });
}
