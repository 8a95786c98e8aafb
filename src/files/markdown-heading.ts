import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';

/** In UTF-16 units, tags included. */
const longestTitle = 1_000;
const longestHtmlTitle = 5_000;
/** Code and links with nothing else in them, which are most of the marks in headings. */
const simpleMark = /(?<![`\\])`([^`]+)`(?!`)|(?<![!\\])\[([^[\]\\`*_!<&]+)\]\([^()\s<>\\`&]*\)/g;
/** What may be more than the letters it is written with. */
const otherMark = /[\\`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!\[|\][([]|<[a-z/!?]|&[#a-z]/iu;

/** A heading as it is read: without the marks of emphasis, code and links, and without badges unless there is nothing else. */
export function headingText(source: string): string {
  if (source.length > longestTitle || !otherMark.test(source)) return oneSpaced(source);
  if (!otherMark.test(source.replace(simpleMark, ' '))) return oneSpaced(source.replace(simpleMark, '$1$2'));
  return headingOf(source, false) || headingOf(source, true);
}

/** Where a reference leads does not matter here, only that it is one, so every label is given a definition. */
function headingOf(source: string, includeImageAlt: boolean): string {
  const labels = [...source.matchAll(/\]\[([^[\]]+)\]/g)].map(([, label]) => `[${label}]: #`);
  const tree = fromMarkdown([`# ${oneSpaced(source)}`, ...labels].join('\n\n'));
  return oneSpaced(textOf(tree, { includeHtml: false, includeImageAlt }));
}

/** Many files of repositories have their title in HTML, to centre it. */
export function htmlHeading(html: string): string | undefined {
  const opening = html.search(/<h1[\s>]/i);
  const start = opening < 0 ? 0 : html.indexOf('>', opening) + 1;
  if (start === 0) return undefined;
  // A title is short; a search for the end of each of many headings would take time quadratic in the length.
  const inner = html.slice(start, start + longestHtmlTitle);
  const end = inner.search(/<\/h1>/i);
  return (end > 0 && oneSpaced(inner.slice(0, end).replace(/<[^<>]*>/g, ' '))) || undefined;
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
