const longestHeading = 120;

/** The heading that the first line of a definition makes: without what opens its body, at most 120 UTF-16 units. */
export function headingFrom(line: string): string {
  const name = line.replace(/\s*[{:(=]*\s*$/, '').slice(0, longestHeading);
  return name.replace(/[\ud800-\udbff]$/, '');
}
