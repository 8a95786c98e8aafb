/** In UTF-16 units: a part is cut at the first heading from here on, … */
const partLength = 20_000;
/** … at the first paragraph, when no heading comes, … */
const longPart = 40_000;
/** … and at any line when no paragraph ends either. */
const longestPart = 100_000;
/** A line above is a part of its own: nobody wrote it, and parsing may take time quadratic in its length. */
export const longestLine = 100_000;

/**
 * Where a long Markdown text can be cut without changing what its blocks are, since the time of parsing grows faster
 * than the length: starts of the parts, the first 0. Cuts lie at a heading, or a paragraph, after a blank line outside of
 * code fences; only a paragraph longer than 100,000 units may be cut inside, and before and after a line of that length.
 */
export function partStarts(text: string): number[] {
  const starts = [0];
  let fence: string | undefined;
  let blank = false;
  const lineEnd = /\r\n|\n|\r/g;
  for (let from = 0; from < text.length; from = lineEnd.lastIndex) {
    const match = lineEnd.exec(text);
    const line = text.slice(from, match?.index ?? text.length);
    const length = from - starts.at(-1)!;
    if (
      fence === undefined &&
      ((blank && length >= partLength && /^#{1,6}[ \t]/.test(line)) ||
        (blank && length >= longPart && /^\p{L}/u.test(line)) ||
        length >= longestPart ||
        (line.length > longestLine && length > 0))
    ) {
      starts.push(from);
    }
    const [, marks, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (marks !== undefined) {
      if (fence === undefined) fence = marks.startsWith('`') && rest.includes('`') ? undefined : marks;
      else if (marks.startsWith(fence) && rest.trim() === '') fence = undefined;
    }
    blank = line.trim() === '';
    if (match === null) break;
  }
  return starts;
}
