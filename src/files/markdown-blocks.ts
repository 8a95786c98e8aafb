import {
  isBlank,
  type Line,
  lineAt,
  measure,
  runLength,
  startsWithLetter,
  takeIndent,
  takeMarker,
} from './markdown-line.js';
import { isTableStart, leadingDefinitions } from './markdown-paragraph.js';
import {
  type Container,
  type Leaf,
  leafNode,
  type MarkdownNode,
  startContainers,
  startLeaf,
} from './markdown-starts.js';

/** What is nested deeper is text: the time for a line grows with the containers that are open. */
const deepest = 100;

/**
 * The block structure of Markdown (CommonMark 0.31 with tables and footnotes of GFM), in one pass over the lines and
 * without a look at what is inside of paragraphs; the algorithm is that of the appendix of CommonMark. Nodes are in order
 * and do not overlap; between them is white space and, in containers, marks.
 */
export function markdownBlocks(text: string, from = 0): MarkdownNode[] {
  const root: Container = { kind: 'document', start: from, end: text.length, children: [] };
  const open: Container[] = [root];
  let leaf: Leaf | undefined;

  const lineEnd = /\r\n|\n|\r/g;
  for (let pos = from; pos < text.length; ) {
    lineEnd.lastIndex = pos;
    const match = lineEnd.exec(text);
    readLine(lineAt(text, pos, match?.index ?? text.length));
    pos = match === null ? text.length : lineEnd.lastIndex;
  }
  closeLeaf();
  close(1);
  return root.children;

  function readLine(line: Line): void {
    measure(line);
    let matched = 1;
    while (matched < open.length && continues(open[matched]!, line)) matched++;
    const all = matched === open.length;
    if (all && leaf !== undefined && continueLeaf(leaf, line)) return;
    const paragraph = leaf?.lines === undefined ? undefined : leaf;
    const lazy = !all && paragraph !== undefined;
    // While the line has opened nothing, what is open stays: the line may go on with its paragraph.
    let opened = false;
    const begin = () => {
      if (!opened) close(matched);
      opened = true;
      closeLeaf();
    };
    while (!isBlank(line)) {
      const continued = all && !opened && paragraph !== undefined && leaf === paragraph;
      if (line.indent >= 4) {
        if (opened || leaf?.lines === undefined) {
          begin();
          addLeaf({ node: leafNode('code', line.pos, line.end) });
          return;
        }
        break;
      }
      if (startsWithLetter(line)) break;
      if (continued && underline(paragraph, line)) return;
      const leafHere = startLeaf(line, continued || (lazy && !opened));
      if (leafHere !== undefined) {
        begin();
        addLeaf(leafHere);
        if (leafHere.node.kind === 'heading' || leafHere.node.kind === 'break' || ended(leafHere, line))
          leaf = undefined;
        return;
      }
      const depth = opened ? open.length : matched;
      const containers = depth >= deepest ? [] : startContainers(line, continued);
      if (containers.length === 0) break;
      begin();
      for (const container of containers) addContainer(container);
    }
    if (lazy && !opened && !isBlank(line)) {
      addLine(paragraph, line);
      return;
    }
    if (!opened) close(matched);
    if (isBlank(line)) {
      if (leaf?.lines !== undefined || leaf?.node.kind === 'table') closeLeaf();
    } else if (leaf?.lines !== undefined) addLine(leaf, line);
    else if (leaf !== undefined) leaf.node.end = line.end;
    else addLeaf({ node: leafNode('paragraph', line.next, line.end), lines: [[line.next, line.end]] });
  }

  /** Whether the line belongs to the container; passes its marks then. */
  function continues(container: Container, line: Line): boolean {
    if (container.kind === 'list') return true;
    if (container.kind === 'quote') {
      if (line.indent >= 4 || text[line.next] !== '>' || isBlank(line)) return false;
      takeMarker(line, 1);
      container.end = line.pos;
      takeIndent(line, 1);
      return true;
    }
    // An item that begins with a blank line ends at the next one.
    if (isBlank(line)) return container.kind !== 'item' || container.children.length > 0;
    const width = container.width ?? 4;
    if (line.indent < width) return false;
    takeIndent(line, width);
    return true;
  }

  /** Whether the line is taken by a leaf that does not care what is in it. A leaf that ends before the line is closed. */
  function continueLeaf(current: Leaf, line: Line): boolean {
    const { node, fence, lines, until } = current;
    if (lines !== undefined || node.kind === 'table') return false;
    if (fence !== undefined) {
      node.end = line.end;
      if (line.indent < 4 && text[line.next] === fence[0] && !isBlank(line)) {
        const run = runLength(line, line.next);
        const after = text.slice(line.next + run, line.end);
        if (run >= fence.length && /^[ \t]*$/.test(after)) leaf = undefined;
      }
      return true;
    }
    if (until !== undefined) {
      if (until === 'blank line' && isBlank(line)) {
        leaf = undefined;
        return true;
      }
      node.end = line.end;
      if (ended(current, line)) leaf = undefined;
      return true;
    }
    if (isBlank(line)) return true;
    if (line.indent >= 4) node.end = line.end;
    else leaf = undefined;
    return line.indent >= 4;
  }

  function ended({ until }: Leaf, line: Line): boolean {
    return until instanceof RegExp && until.test(text.slice(line.next, line.end));
  }

  /** Makes of a paragraph a heading or a table when the line under it says so. */
  function underline(paragraph: Leaf, line: Line): boolean {
    const code = text[line.next];
    if (code !== '=' && code !== '-' && code !== '|' && code !== ':') return false;
    const rest = text.slice(line.next, line.end);
    if (/^(?:=+|-+)[ \t]*$/.test(rest)) {
      define(paragraph);
      const { node, lines = [] } = paragraph;
      if (lines.length === 0) {
        leaf = undefined;
        return false;
      }
      open.at(-1)!.children.pop();
      const title = lines.map(([start, end]) => text.slice(start, end)).join('\n');
      const heading = { ...leafNode('heading', node.start, line.end), depth: code === '=' ? 1 : 2, title };
      addLeaf({ node: heading });
      leaf = undefined;
      return true;
    }
    const [start, end] = paragraph.lines!.at(-1)!;
    if (!isTableStart(text.slice(start, end), rest)) return false;
    paragraph.lines!.pop();
    const before = paragraph.lines!.at(-1);
    if (before === undefined) open.at(-1)!.children.pop();
    else {
      paragraph.node.end = before[1];
      closeLeaf();
    }
    addLeaf({ node: leafNode('table', start, line.end) });
    return true;
  }

  function addLine({ node, lines }: Leaf, line: Line): void {
    node.end = line.end;
    lines!.push([line.next, line.end]);
  }

  function addLeaf(added: Leaf): void {
    if (open.at(-1)!.kind === 'list') close(open.length - 1);
    leaf = added;
    open.at(-1)!.children.push(added.node);
  }

  function addContainer(container: Container): void {
    const top = open.at(-1)!;
    if (container.kind === 'list' && top.kind === 'list' && top.marker === container.marker) return;
    if (container.kind !== 'item' && top.kind === 'list') close(open.length - 1);
    open.at(-1)!.children.push(container);
    open.push(container);
  }

  /** Closes the containers from `depth` on, and the leaf that is in them. */
  function close(depth: number): void {
    if (depth < open.length) closeLeaf();
    while (open.length > depth) {
      const closed = open.pop()!;
      closed.end = Math.max(closed.end, closed.children.at(-1)?.end ?? 0);
    }
  }

  function closeLeaf(): void {
    if (leaf?.lines !== undefined) define(leaf);
    leaf = undefined;
  }

  /** Puts the definitions at the head of a paragraph before it; of a paragraph of nothing else nothing stays. */
  function define({ node, lines = [] }: Leaf): void {
    if (text[lines[0]?.[0] ?? -1] !== '[') return;
    const counts = leadingDefinitions(lines.map(([start, end]) => text.slice(start, end)));
    if (counts.length === 0) return;
    const { children } = open.at(-1)!;
    children.pop();
    let line = 0;
    for (const count of counts) {
      children.push(leafNode('definition', lines[line]![0], lines[line + count - 1]![1]));
      line += count;
    }
    lines.splice(0, line);
    if (lines.length === 0) return;
    node.start = lines[0]![0];
    children.push(node);
  }
}
