import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { markdownBlocks } from '../../src/files/markdown-blocks.js';
import { headingText } from '../../src/files/markdown-heading.js';
import type { MarkdownNode } from '../../src/files/markdown-starts.js';

interface Outline {
  readonly kind: string;
  readonly text: string;
  readonly children: readonly Outline[];
}

interface Point {
  readonly offset?: number | undefined;
}

interface MdastNode {
  readonly type: string;
  readonly position?: { readonly start: Point; readonly end: Point } | undefined;
  readonly children?: readonly MdastNode[];
}

const mdastKinds: Readonly<Record<string, string>> = { listItem: 'item', blockquote: 'quote', thematicBreak: 'break' };
const containers = ['list', 'item', 'quote', 'footnoteDefinition'];

function mdast(text: string) {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** By the reference parser, which lets a heading after a definition begin with the definition. */
function expected(text: string): Outline[] {
  let done = 0;
  const outline = (node: MdastNode): Outline => {
    const kind = mdastKinds[node.type] ?? node.type;
    const { start, end } = node.position!;
    if (containers.includes(kind)) return { kind, text: '', children: (node.children ?? []).map(outline) };
    const body = text.slice(Math.max(done, start.offset!), end.offset);
    done = end.offset!;
    // What is between the two may hold marks of containers.
    return { kind, text: kind === 'heading' ? body.replace(/^[\s>]+/, '').trim() : body.trim(), children: [] };
  };
  return mdast(text).children.map(outline);
}

function found(text: string): Outline[] {
  const outline = ({ kind, start, end, children }: MarkdownNode): Outline => {
    const body = containers.includes(kind) ? '' : text.slice(start, end).trim();
    return { kind, text: body, children: children.map(outline) };
  };
  return markdownBlocks(text).map(outline);
}

describe('the same blocks as the reference parser finds', () => {
  const words = fc.constantFrom(
    'row the boat',
    'an oar',
    '*oars* and `tar`',
    'two\nlines',
    'three\n  more\nlines',
    '1986 was',
    'a | b',
  );
  const info = fc.constantFrom('', 'js', ' sh -x');
  const leaf = fc.oneof(
    words,
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('Care', 'Care #', 'Care ##', '', 'C#', '`x`'))
      .map(([n, t]) => `${'#'.repeat(n)} ${t}`),
    fc.tuple(words, fc.constantFrom('===', '---', '-', '=  ')).map(([text, line]) => `${text}\n${line}`),
    fc.tuple(fc.constantFrom('```', '````', '~~~'), info).map(([f, i]) => `${f}${i}\n# code\n\n  - more\n${f}`),
    fc.constantFrom('***', '- - -', '___'),
    fc.constantFrom(
      '<div>\n*html*\n</div>',
      '<!-- a\n\nb -->',
      '\n<br/>',
      '\n<a href="x">\ntext',
      '<?x\n\n?>',
      '<pre>\n\n</pre>',
    ),
    fc.constantFrom(
      '| a | b |\n|---|:-:|\n| 1 | 2 |\n3',
      'a|b\n-|-',
      '|a|\n|-|',
      'text\n| a |\n| - |\n| 1 |',
      '|a|b|\n|-|',
      'a \\| b\n| - |',
    ),
    fc.constantFrom('[a]: b', '[a]: <b c> "d"', '[a]:\n  b\n  "d"', '[a]: b\n[c]: d\ntext', '[a]: b c', '[a b]: c (d)'),
  );
  const joined = (parts: readonly (readonly [string, string])[]) => parts.map(([part, gap]) => part + gap).join('');
  const gap = fc.constantFrom('\n\n', '\n\n\n');
  const indented = (text: string, mark: string) =>
    mark +
    text
      .split('\n')
      .join(`\n${' '.repeat(mark.length)}`)
      .replace(/\n +(?=\n|$)/g, '\n');
  const { block } = fc.letrec<{ block: string }>((tie) => {
    const inner = fc
      .array(fc.tuple(tie('block'), gap), { minLength: 1, maxLength: 3 })
      .map((parts) => joined(parts).trimEnd().replace(/^\n+/, ''));
    return {
      block: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        inner.map((text) => `> ${text.split('\n').join('\n> ')}`),
        fc
          .tuple(fc.constantFrom('- ', '* ', '1. ', '1) ', '-   '), fc.array(inner, { minLength: 1, maxLength: 3 }))
          .map(([mark, items]) => items.map((item) => indented(item, mark)).join('\n')),
      ),
    };
  });

  const note = leaf.map((text) => `[^n]: ${text.split('\n').join('\n    ')}`);

  /** The reference parser has its own ways with what follows some containers without a blank line. */
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(block, gap) },
    { weight: 6, arbitrary: fc.tuple(leaf, fc.constant('\n')) },
    { weight: 1, arbitrary: fc.tuple(note, gap) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constantFrom(
          ...['\n\tindented', '\n    indented\n\n    code', '\n<br/>', '\n<a href="x">\ntext'],
          ...['> row\nthe boat', '- row\nthe boat', '> - row\n>the boat', '> a\n***', '- a\n# b', '- a\n7) b'],
        ),
        gap,
      ),
    },
  );

  test('in texts of the usual constructs', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'), (parts, lineEnd) => {
        const text = joined(parts).replaceAll('\n', lineEnd);
        expect(found(text)).toEqual(expected(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('as CommonMark has it where the reference parser differs, or where it is easily missed', () => {
  const kinds = (text: string) => {
    const shown = ({ kind, children }: MarkdownNode): string =>
      children.length === 0 ? kind : `${kind}(${children.map(shown).join(' ')})`;
    return markdownBlocks(text).map(shown).join(' ');
  };

  test.each([
    ['a list with any number follows code', '    code\n\n7) oar', 'code list(item(paragraph))'],
    ['an item may begin with a blank line after code', '    code\n\n-\n  oar', 'code list(item(paragraph))'],
    ['code after a quote is one block', '> |a|\n> |-|\n    code\n\n    more', 'quote(table) code'],
    ['a tag that is no block ends no paragraph, though it is in a quote', '> row\n<br/>', 'quote(paragraph)'],
    ['a table follows one in a quote', '> |a|\n> |-|\n|a|\n|-|', 'quote(table) table'],
    ['definitions are no part of a heading', '[a]: b\nrow\n---', 'definition heading'],
    ['an underline of nothing but definitions is text', '[a]: b\n===', 'definition paragraph'],
    ['a number in a paragraph is no list', 'It was\n1986. Row.\n-\n', 'heading'],
    ['an item of nothing ends at a blank line', '-\n\n  row', 'list(item) paragraph'],
  ])('%s', (_, text, expected) => expect(kinds(text)).toBe(expected));
});

test('the title of a heading is the text of the reference parser without HTML and images', () => {
  const piece = fc.constantFrom(
    ...[
      'oar',
      ' ',
      ' ',
      '`',
      '``',
      '*',
      '**',
      '_',
      '[a]',
      '(b)',
      '[c](d)',
      '`e`',
      '![f](g)',
      '<h>',
      '&amp;',
      '&',
      '<',
      '\\',
      '!',
    ],
    ...['snake_case', '[1.2.3](https://example.org/v1.2.3)', '`f<T>()`', 'C#', '~'],
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const source = `x ${pieces.join('').replace(/\]\[/g, '] [').trim()} x`;
      const title = textOf(fromMarkdown(`# ${source}`), { includeHtml: false, includeImageAlt: false });
      expect(headingText(source)).toBe(title.replace(/\s+/g, ' ').trim());
    }),
    { numRuns: 1_000 },
  );
});
