/**
 * What of a chunk is indexed and embedded: its document's title, its heading path and its own words, a title that the
 * text already holds not said again. Offsets of the chunk are not touched by this.
 */
export function indexText(title: string, heading: readonly string[], text: string): string {
  const said = [title, ...heading].filter((part) => part !== '' && !text.includes(part));
  return [...new Set(said), text].join('\n');
}
