import { type HtmlEnd, htmlStart } from './markdown-html.js';
import { isBlank, type Line, runLength, takeIndent, takeMarker } from './markdown-line.js';

type LeafKind = 'paragraph' | 'heading' | 'code' | 'html' | 'table' | 'break' | 'definition';
type ContainerKind = 'document' | 'list' | 'item' | 'quote' | 'footnoteDefinition';

/** A part of a Markdown text, UTF-16 offsets. */
export interface MarkdownNode {
  readonly kind: LeafKind | ContainerKind;
  start: number;
  end: number;
  /** Of containers. */
  readonly children: MarkdownNode[];
  /** Of headings, 1 to 6, and their text with its marks. */
  readonly depth?: number;
  readonly title?: string;
}

export interface Container extends MarkdownNode {
  readonly kind: ContainerKind;
  /** Of lists: bullet or delimiter. */
  readonly marker?: string;
  /** Of items: columns that a line must be indented by. */
  readonly width?: number;
}

export interface Leaf {
  readonly node: MarkdownNode;
  /** Of paragraphs: start and end of each line, without indent. */
  readonly lines?: (readonly [number, number])[];
  /** Of fences. */
  readonly fence?: string;
  /** Of HTML. */
  readonly until?: HtmlEnd;
}

/** The leaf that begins here, other than a paragraph or indented code; a tag may begin none that `interrupts` a paragraph. */
export function startLeaf(line: Line, interrupts: boolean): Leaf | undefined {
  const { text, next, end } = line;
  const first = text[next];
  if (first === '#') {
    const depth = runLength(line, next);
    const after = text[next + depth];
    if (depth > 6 || (next + depth < end && after !== ' ' && after !== '\t')) return undefined;
    return {
      node: { ...leafNode('heading', next, end), depth, title: withoutClosing(text.slice(next + depth, end)) },
    };
  }
  if (first === '`' || first === '~') {
    const length = runLength(line, next);
    if (length < 3 || (first === '`' && text.slice(next + length, end).includes('`'))) return undefined;
    return { node: leafNode('code', next, end), fence: first.repeat(length) };
  }
  if (first === '<') {
    const until = htmlStart(text.slice(next, end), interrupts);
    return until === undefined ? undefined : { node: leafNode('html', next, end), until };
  }
  return isBreak(line) ? { node: leafNode('break', next, end) } : undefined;
}

/** The container that begins here, a list with its item; marks are passed. */
export function startContainers(line: Line, continued: boolean): Container[] {
  const { text, next: start } = line;
  const first = text[start];
  if (first === '>') {
    takeMarker(line, 1);
    takeIndent(line, 1);
    return [{ kind: 'quote', start, end: start + 1, children: [] }];
  }
  if (first === '[' && text[start + 1] === '^') {
    const [mark] =
      /^\[\^(?:[^\s[\]\\]|\\(?:[[\]\\]|(?![[\]\\]))){1,999}\]:/.exec(
        text.slice(start, Math.min(line.end, start + 2_100)),
      ) ?? [];
    if (mark === undefined) return [];
    takeMarker(line, mark.length);
    takeIndent(line, line.indent);
    return [{ kind: 'footnoteDefinition', start, end: start + mark.length, children: [] }];
  }
  if (!/[-*+\d]/.test(first!)) return [];
  const [mark, number] =
    /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(text.slice(start, Math.min(line.end, start + 11))) ?? [];
  if (mark === undefined) return [];
  const end = start + mark.length;
  // In a paragraph, a number at the start of a line is most often no list.
  if (continued && ((number !== undefined && Number(number) !== 1) || /^[ \t]*$/.test(text.slice(end, line.end)))) {
    return [];
  }
  const indent = line.indent;
  takeMarker(line, mark.length);
  const padding = isBlank(line) || line.indent > 4 ? 1 : line.indent;
  takeIndent(line, padding);
  const item: Container = { kind: 'item', start, end, children: [], width: indent + mark.length + padding };
  return [{ kind: 'list', start, end, children: [], marker: mark.at(-1)! }, item];
}

/** White space and `#` at the end of a heading, as many as there are, are none of its text. */
function withoutClosing(content: string): string {
  const body = content.trimEnd();
  let end = body.length;
  while (body[end - 1] === '#') end--;
  return end === 0 || body[end - 1] === ' ' || body[end - 1] === '\t' ? body.slice(0, end).trim() : body.trim();
}

function isBreak(line: Line): boolean {
  const { text } = line;
  const mark = text[line.next];
  if (mark !== '-' && mark !== '*' && mark !== '_') return false;
  let count = 0;
  for (let at = line.next; at < line.end; at++) {
    if (text[at] === mark) count++;
    else if (text[at] !== ' ' && text[at] !== '\t') return false;
  }
  return count >= 3;
}

export function leafNode(kind: LeafKind, start: number, end: number): MarkdownNode {
  return { kind, start, end, children: [] };
}
