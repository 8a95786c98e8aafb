import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import type { Block } from '../core/chunk.js';
import { messageOf } from '../core/errors.js';
import type { Reading } from './formats.js';
import { readFrontMatter } from './front-matter.js';
import { longestLine, partStarts } from './markdown-parts.js';
import { paragraphs, readPlainText } from './plain-text.js';

type Node = ReturnType<typeof fromMarkdown>['children'][number];

/** Longer texts are read as plain text: the tree of a text takes many times its memory. */
const maxLength = 4_000_000;
/** Quotes and lists within each other on one line; parsing time grows with its square. */
const deepNesting = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){100}/m;
/** In UTF-16 units, tags included. */
const maxHtmlHeading = 5_000;
/** Lists and quotes longer than this in UTF-16 units are blocks by their items. */
const longContainer = 1_000;

/**
 * Markdown (CommonMark and GFM) with YAML front matter. A heading belongs to the section that it opens. The title is
 * that of the front matter, else the first heading of level 1. What the parser can not take is read as plain text,
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
  const parts: Block[][] = [];
  const sections: { depth: number; title: string }[] = [];
  const path = () => sections.map((section) => section.title);
  let { title, metadata, notes }: Partial<Reading> = {};
  let h1: string | undefined;
  let done = 0;
  const starts = partStarts(text);
  for (const [index, from] of starts.entries()) {
    const part = text.slice(from, starts[index + 1]);
    // Such a line begins its part; what is left out here becomes paragraphs below.
    if (startsWithLongLine(part)) continue;
    for (const node of blockNodes(part, index === 0)) {
      // The parser lets a heading that follows a definition begin with the definition.
      const start = Math.max(done, from + node.position!.start.offset!);
      const end = from + node.position!.end.offset!;
      const matter = node.type === 'yaml' ? readFrontMatter(node.value) : isToml(node) ? {} : undefined;
      if (matter !== undefined) {
        ({ title, metadata, notes } = matter);
        done = end;
        continue;
      }
      // Nothing that is not blank may fall between two nodes.
      parts.push(paragraphs(text, done, start, path()));
      if (node.type === 'heading') {
        while (sections.length > 0 && sections.at(-1)!.depth >= node.depth) sections.pop();
        const name = headingText(textOf(node));
        if (name !== '') sections.push({ depth: node.depth, title: name });
        if (node.depth === 1) h1 ??= name || undefined;
      } else if (node.type === 'html') h1 ??= htmlHeading(node.value);
      parts.push(blocksOf(node, start, end, path()));
      done = end;
    }
  }
  parts.push(paragraphs(text, done, text.length, path()));
  title ??= h1;
  return { blocks: parts.flat(), ...(title && { title }), ...(metadata && { metadata }), ...(notes && { notes }) };
}

function startsWithLongLine(part: string): boolean {
  const end = part.search(/[\r\n]/);
  return (end < 0 ? part.length : end) > longestLine;
}

/** What is inside of paragraphs does not matter for blocks, and takes most of the time of parsing. */
const inline = [
  ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'hardBreakEscape', 'htmlText'],
  ...['labelEnd', 'labelStartImage', 'labelStartLink', 'strikethrough', 'tasklistCheck'],
  ...['wwwAutolink', 'protocolAutolink', 'emailAutolink', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'],
];

function blockNodes(text: string, first: boolean): Node[] {
  const extensions = [gfm(), { disable: { null: inline } }, ...(first ? [frontmatter(['yaml', 'toml'])] : [])];
  const mdastExtensions = [gfmFromMarkdown(), ...(first ? [frontmatterFromMarkdown(['yaml', 'toml'])] : [])];
  return fromMarkdown(text, { extensions, mdastExtensions }).children;
}

/** The types of the tree do not know TOML. */
function isToml(node: Node): boolean {
  return (node.type as string) === 'toml';
}

/** A heading as it is read: without the marks of emphasis, code and links, and without badges unless there is nothing else. */
function headingText(source: string): string {
  const plain = source.length > 1_000 || !/[\\`*_~[\]<&!]/.test(source);
  return plain ? oneSpaced(source) : headingOf(source, false) || headingOf(source, true);
}

/** Where a reference leads does not matter here, only that it is one, so every label is given a definition. */
function headingOf(source: string, includeImageAlt: boolean): string {
  const labels = [...source.matchAll(/\]\[([^[\]]+)\]/g)].map(([, label]) => `[${label}]: #`);
  const tree = fromMarkdown([`# ${oneSpaced(source)}`, ...labels].join('\n\n'));
  return oneSpaced(textOf(tree, { includeHtml: false, includeImageAlt }));
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** One block a node; a long list or quote is cut between its items, and each keeps the marks before it. */
function blocksOf(node: Node, start: number, end: number, heading: readonly string[]): Block[] {
  const container = node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote';
  if (!container || end - start <= longContainer || node.children.length === 0) {
    return [{ start, end, heading, kind: kinds[node.type] ?? node.type }];
  }
  const offset = start - node.position!.start.offset!;
  let from = start;
  return node.children.flatMap((child, index) => {
    const to = index === node.children.length - 1 ? end : offset + child.position!.end.offset!;
    const blocks = blocksOf(child, from, to, heading);
    from = to;
    return blocks;
  });
}

const kinds: Readonly<Record<string, string>> = {
  yaml: 'paragraph',
  listItem: 'list',
  blockquote: 'quote',
  thematicBreak: 'break',
};

/** Many files of repositories have their title in HTML, to centre it. */
function htmlHeading(html: string): string | undefined {
  const opening = html.search(/<h1[\s>]/i);
  const start = opening < 0 ? 0 : html.indexOf('>', opening) + 1;
  if (start === 0) return undefined;
  // A title is short; a search for the end of each of many headings would take time quadratic in the length.
  const inner = html.slice(start, start + maxHtmlHeading);
  const end = inner.search(/<\/h1>/i);
  return (end > 0 && oneSpaced(inner.slice(0, end).replace(/<[^<>]*>/g, ' '))) || undefined;
}
