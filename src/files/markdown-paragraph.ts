/** Bounded, since every repetition takes memory of the matcher. */
const title = [
  String.raw`"(?:[^"\\]|\\[^]){0,1000}"`,
  String.raw`'(?:[^'\\]|\\[^]){0,1000}'`,
  String.raw`\((?:[^()\\]|\\[^]){0,1000}\)`,
].join('|');
const label = String.raw`\[(?!\^)(?=[^\]]{0,999}[^\s\]])(?:[^[\]\\]|\\[^]){1,999}\]`;
const destination = String.raw`(?:<(?:[^<>\n\\]|\\.){0,1000}>|[^\s<]\S*)`;
const definition = new RegExp(
  String.raw`${label}:[ \t]*\n?[ \t]*${destination}(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:${title}))?[ \t]*(?:\n|$)`,
  'y',
);

/**
 * How many lines each of the link reference definitions takes with which the lines of a paragraph begin. (CommonMark
 * 0.31, section 4.7; parentheses in a destination need not be in pairs.)
 */
export function leadingDefinitions(lines: readonly string[]): number[] {
  const counts: number[] = [];
  if (!lines[0]?.startsWith('[')) return counts;
  const text = lines.join('\n');
  definition.lastIndex = 0;
  for (let from = 0; from < text.length && text[from] === '['; from = definition.lastIndex) {
    const match = definition.exec(text)?.[0];
    if (match === undefined) break;
    counts.push(match.split('\n').length - (match.endsWith('\n') ? 1 : 0));
  }
  return counts;
}

const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Whether two lines begin a table: a header, and a row of dashes with as many cells (GFM, section 4.10). */
export function isTableStart(header: string, delimiters: string): boolean {
  return (
    /^[|:-]/.test(delimiters) &&
    /[|:]/.test(delimiters) &&
    delimiterRow.test(delimiters) &&
    cells(header) === cells(delimiters)
  );
}

/** Zero for a lone bar, which is no row. */
function cells(row: string): number {
  const line = row.trim();
  let count = 0;
  let open = false;
  for (let at = line[0] === '|' ? 1 : 0; at < line.length; at++) {
    const bar = line[at] === '|';
    if (!open) count++;
    open = !bar;
    if (line[at] === '\\' && (line[at + 1] === '\\' || line[at + 1] === '|')) at++;
  }
  return count;
}
