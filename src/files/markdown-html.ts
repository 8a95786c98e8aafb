/** The elements whose tags begin a block wherever a line starts with them (CommonMark 0.31, section 4.6, condition 6). */
const blockNames = [
  ...['address', 'article', 'aside', 'base', 'basefont', 'blockquote', 'body', 'caption', 'center', 'col', 'colgroup'],
  ...['dd', 'details', 'dialog', 'dir', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['frame', 'frameset', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header', 'hr', 'html', 'iframe', 'legend'],
  ...['li', 'link', 'main', 'menu', 'menuitem', 'nav', 'noframes', 'ol', 'optgroup', 'option', 'p', 'param'],
  ...['search', 'section', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'title', 'tr', 'track', 'ul'],
];

const attribute = String.raw`[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^"'=<>\x60\s]+|'[^']*'|"[^"]*"))?`;
const anyTag = new RegExp(`^<(?:[a-z][a-z0-9-]*(?:${attribute})*[ \\t]*/?|/[a-z][a-z0-9-]*[ \\t]*)>[ \\t]*$`, 'i');
const blockTag = new RegExp(`^</?(?:${blockNames.join('|')})(?:[ \\t]|/?>|$)`, 'i');
/** In UTF-16 units; a tag longer than this is text. */
const longestTag = 20_000;

/** What ends an HTML block: a line with this in it, or else a blank line. */
export type HtmlEnd = RegExp | 'blank line';

const starts: readonly (readonly [RegExp, HtmlEnd])[] = [
  [/^<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [blockTag, 'blank line'],
];

/** The end to wait for when an HTML block starts with this line; any other tag than those above can not end a paragraph. */
export function htmlStart(line: string, interrupts: boolean): HtmlEnd | undefined {
  for (const [start, end] of starts) if (start.test(line)) return end;
  return !interrupts && line.length <= longestTag && anyTag.test(line) ? 'blank line' : undefined;
}
