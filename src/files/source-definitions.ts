import type { Block } from '../core/chunk.js';
import { paragraphBlocks } from './plain-text.js';
import { headingFrom } from './source-heading.js';
import type { SourceLanguage } from './source-languages.js';
import { blocksByLines } from './source-lines.js';

/** What is asked of a node of a syntax tree. Offsets count UTF-16 units. */
export interface SyntaxNode {
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly childCount: number;
  /** Whether anything in it does not follow the grammar. */
  readonly hasError: boolean;
  readonly children: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
}

/** A definition up to this length in UTF-16 units is one block; what is longer is taken apart. */
const longestWhole = 1_000;
/** Nodes with more parts are data or damage; taking each part in hand takes memory without need. */
const maxParts = 50_000;
const maxDepth = 16;
const maxWrappers = 4;
/** Definitions within definitions that make a heading. */
const maxHeadings = 2;
/** As much of a definition as is looked at for its heading. */
const longestSignature = 500;

const comment = /comment$/;
/** What belongs to the definition directly below, besides comments. */
const mark = /^decorator$|^attribute_item$|^attribute_list$|annotation$/;
/** Closes what stands before it. */
const closing = /^(?:[^\p{L}\p{N}_]{0,200}|end)$/u;

/**
 * Blocks of a program from its syntax tree, in order, together holding everything but white space: each definition
 * with the comments and decorators directly above, and what stands between definitions, cut at blank lines. Members of
 * classes and the like, and definitions in long functions, are blocks of their own. The heading is the first lines of
 * the two innermost definitions around. A tree with errors gives blocks as good as its parts.
 */
export function blocksOfTree(text: string, root: SyntaxNode, language: SourceLanguage): Block[] {
  const { transparent = [], namespaces = [] } = language;
  const containers = [...(language.containers ?? []), ...namespaces];
  const blocks: Block[] = [];
  let at = 0;

  const byLines = (from: number, to: number) =>
    blocksByLines(text.slice(from, to)).map((block) => ({
      ...block,
      start: from + block.start,
      end: from + block.end,
    }));

  /** The text up to `end` becomes blocks, or one block. In broken code it may hold definitions that no node shows. */
  const cut = (end: number, heading: readonly string[], whole = false) => {
    if (end <= at) return;
    const parts = heading.length === 0 && root.hasError ? byLines(at, end) : paragraphBlocks(text, at, end, heading);
    const [first] = parts;
    for (const part of whole && first ? [{ ...first, end: parts.at(-1)!.end }] : parts) {
      const last = blocks.at(-1);
      const begin = text.slice(part.start, Math.min(part.end, part.start + 300)).trim();
      if (last !== undefined && closing.test(begin)) blocks[blocks.length - 1] = { ...last, end: part.end };
      else blocks.push({ ...part, kind: 'code' });
    }
    at = end;
  };

  const walk = (parts: readonly SyntaxNode[], around: readonly string[], inNamespace: boolean, depth: number) => {
    /** Where the comments and decorators that stand directly above begin. */
    let above: number | undefined;
    /** The end of the part before. */
    let before = at;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!;
      const start = part.startIndex;
      const apart = lineEnds(text, before, start) > 1;
      let end = endOf(text, part);
      before = end;
      if (comment.test(part.type) || mark.test(part.type)) {
        // A comment behind other code on its line is about that.
        const begins = mark.test(part.type) || beginsLine(text, start);
        if (above === undefined || apart) above = begins ? start : undefined;
        continue;
      }
      const definition = definitionIn(part, language);
      const from = apart ? start : (above ?? start);
      above = undefined;
      if (definition === undefined) continue;
      cut(lineStart(text, from, at), around);
      // Its semicolon, and a comment on its last line.
      for (let next = parts[index + 1]; next !== undefined; next = parts[index + 1]) {
        if ((next.isNamed && !comment.test(next.type)) || lineEnds(text, end, next.startIndex) > 0) break;
        end = Math.max(end, endOf(text, next));
        index++;
      }
      before = end;
      const contains = containers.includes(definition.type);
      const name = nameOf(text, part, definition, language);
      const outer = contains && inNamespace ? [] : around;
      const heading = name === '' ? around : [...outer, name].slice(-maxHeadings);
      const open = depth < maxDepth && (contains || end - start > longestWhole);
      if (open) {
        walk(membersOf(definition, transparent), heading, namespaces.includes(definition.type), depth + 1);
      }
      cut(end, heading, !open);
    }
  };
  walk(partsOf(root, transparent), [], false, 0);
  cut(text.length, []);
  return blocks;
}

const isA = (node: SyntaxNode, types: readonly string[] = []) => node.isNamed && types.includes(node.type);

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.childCount > maxParts ? [] : node.children.filter((child) => child !== null);
}

/** The children, and those of what is looked through. */
function partsOf(node: SyntaxNode, transparent: readonly string[], depth = 0): readonly SyntaxNode[] {
  return childrenOf(node).flatMap((part) => {
    const through = depth < maxDepth && (isA(part, transparent) || part.type === 'ERROR');
    return through ? partsOf(part, transparent, depth + 1) : [part];
  });
}

/** What stands in a definition; some grammars leave the comments at its beginning before its body. */
function membersOf(definition: SyntaxNode, transparent: readonly string[]): readonly SyntaxNode[] {
  const body = definition.childForFieldName('body');
  if (body === null) return partsOf(definition, transparent);
  const head = childrenOf(definition).filter(({ startIndex }) => startIndex < body.startIndex);
  const code = head.findLastIndex(({ type }) => !comment.test(type));
  return [...head.slice(code + 1), ...partsOf(body, transparent)];
}

/** The definition that a part is, or is wrapped around. */
function definitionIn(part: SyntaxNode, language: SourceLanguage, depth = 0): SyntaxNode | undefined {
  const { definitions, containers, namespaces, wrappers } = language;
  if (isA(part, definitions) || isA(part, containers)) return part;
  // `namespace A;` holds nothing.
  if (isA(part, namespaces)) return part.childForFieldName('body') === null ? undefined : part;
  if (depth === maxWrappers || !isA(part, wrappers)) return;
  for (const child of childrenOf(part)) {
    const found = definitionIn(child, language, depth + 1);
    if (found !== undefined) return found;
  }
  return;
}

/** The first line of a definition, without decorators and its body. */
function nameOf(text: string, part: SyntaxNode, definition: SyntaxNode, { wrappers }: SourceLanguage): string {
  const start = afterMarks(part, wrappers) ?? part.startIndex;
  const end = definition.childForFieldName('body')?.startIndex ?? part.endIndex;
  const [line = ''] = text.slice(start, Math.min(end, start + longestSignature)).split(/[\r\n]/, 1);
  return headingFrom(line.trim());
}

/** Where a definition begins behind its decorators; nothing when it is only decorators. */
function afterMarks(node: SyntaxNode, wrappers: readonly string[] | undefined): number | undefined {
  let skipped = false;
  for (const child of childrenOf(node)) {
    const isMark = comment.test(child.type) || mark.test(child.type);
    const nested = child.type === 'modifiers' || isA(child, wrappers);
    const start = isMark ? undefined : nested ? afterMarks(child, wrappers) : child.startIndex;
    // A keyword may be no node, so without decorators it is the beginning of the whole.
    if (start !== undefined) return skipped || start > child.startIndex ? start : node.startIndex;
    skipped = true;
  }
  return skipped ? undefined : node.startIndex;
}

/** Some grammars count the end of the line to a comment. */
function endOf(text: string, { startIndex, endIndex }: SyntaxNode): number {
  return startIndex + text.slice(startIndex, endIndex).trimEnd().length;
}

function lineEnds(text: string, start: number, end: number): number {
  return text.slice(start, end).match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Where the line of an offset begins, if nothing but white space from `least` on stands before it. */
function lineStart(text: string, offset: number, least: number): number {
  let start = offset;
  while (start > least && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  return start === 0 || /[\r\n]/.test(text[start - 1]!) ? start : offset;
}

function beginsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset, 0);
  return start === 0 || /[\r\n]/.test(text[start - 1]!);
}
