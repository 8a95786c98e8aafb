/**
 * What of a chunk is indexed and embedded: its document's title, its heading path, the header of the table that it
 * continues and its own words, a title that the text already holds not said again. Offsets of the chunk are not touched
 * by this.
 */
export function indexText(title: string, heading: readonly string[], text: string, header = ''): string {
  return indexParts(title, heading, text, header).join('\n');
}

/** The parts of `indexText`, in order: a phrase goes over the border of none. */
export function indexParts(title: string, heading: readonly string[], text: string, header = ''): string[] {
  const said = [title, ...heading].filter((part) => part !== '' && !holds(text, part));
  return [...new Set(said), ...(header === '' ? [] : [header]), text];
}

const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/** Whether the text has the part as words of its own: `art` is not in `start`. */
function holds(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = at === 0 ? '' : text[at - 1]!;
    const after = text[at + part.length] ?? '';
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return true;
  }
  return false;
}
