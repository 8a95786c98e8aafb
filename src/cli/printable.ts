/** Everything by which a text could move the cursor, colour the screen or turn the direction of what follows. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from documents and models as the terminal may show it: control characters become spaces, line breaks stay. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' ? '\n' : ' '));
}

/** The same on one line of at most `width` UTF-16 units. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
