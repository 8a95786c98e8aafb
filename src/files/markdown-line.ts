const tab = 9;
const space = 32;

/** A place in a line. Tabs reach to the next multiple of four columns; a container may take a part of one. */
export interface Line {
  readonly text: string;
  /** Where the rest of the line begins; the tab of which a part is taken still counts. */
  pos: number;
  column: number;
  /** Without the line ending. */
  end: number;
  /** The first character that is neither space nor tab, or the end. */
  next: number;
  /** Columns from `column` to `next`. */
  indent: number;
}

export function lineAt(text: string, pos: number, end: number): Line {
  return { text, pos, column: 0, end, next: pos, indent: 0 };
}

/** Sets `next` and `indent`. */
export function measure(line: Line): void {
  let { pos, column } = line;
  for (; pos < line.end; pos++) {
    const code = line.text.charCodeAt(pos);
    if (code === space) column++;
    else if (code === tab) column += 4 - (column % 4);
    else break;
  }
  line.next = pos;
  line.indent = column - line.column;
}

/** Passes so many columns of white space, or what there is of them. */
export function takeIndent(line: Line, columns: number): void {
  for (let left = columns; left > 0 && line.pos < line.end; ) {
    const code = line.text.charCodeAt(line.pos);
    const width = code === tab ? 4 - (line.column % 4) : 1;
    if (code !== tab && code !== space) break;
    if (width <= left) line.pos++;
    line.column += Math.min(width, left);
    left -= width;
  }
  measure(line);
}

/** Passes the indent and so many characters after it, none of them a tab. */
export function takeMarker(line: Line, length: number): void {
  line.column += line.indent + length;
  line.pos = line.next + length;
  measure(line);
}

export function isBlank(line: Line): boolean {
  return line.next === line.end;
}

/** How often the character at `from` stands there in a row. */
export function runLength(line: Line, from: number): number {
  const code = line.text.charCodeAt(from);
  let to = from;
  while (to < line.end && line.text.charCodeAt(to) === code) to++;
  return to - from;
}

/** Most lines begin with a letter (of any script), and no mark of Markdown is one. */
export function startsWithLetter(line: Line): boolean {
  const code = line.text.charCodeAt(line.next);
  return code > 126 || (code > 64 && code < 91) || (code > 96 && code < 123);
}
