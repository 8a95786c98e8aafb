import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/files/markdown.js';
import { readContent } from './tree.js';

const outline = (text: string) =>
  readMarkdown(text).blocks.map(({ start, end, kind, heading = [] }) => [
    kind,
    text.slice(start, end).trim(),
    heading.join(' / '),
  ]);

describe('blocks', () => {
  test('each with its kind and the titles around it; a heading belongs to the section that it opens', () => {
    const text = [
      'Before all.',
      '# Boats *and* `oars`',
      '',
      'Two\nlines.',
      '## Care',
      '- wash\n- dry',
      '```js\n# no heading\n```',
      'Setext\n------',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '> quoted',
      '<p>html</p>',
      '',
      '[ref]: https://example.org',
      '### Deep [link](x) &amp; more',
      'Text[^1].\n\n[^1]: A note.',
      '# Other',
      'End.',
    ].join('\n');
    expect(outline(text)).toEqual([
      ['paragraph', 'Before all.', ''],
      ['heading', '# Boats *and* `oars`', 'Boats and oars'],
      ['paragraph', 'Two\nlines.', 'Boats and oars'],
      ['heading', '## Care', 'Boats and oars / Care'],
      ['list', '- wash\n- dry', 'Boats and oars / Care'],
      ['code', '```js\n# no heading\n```', 'Boats and oars / Care'],
      ['heading', 'Setext\n------', 'Boats and oars / Setext'],
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |', 'Boats and oars / Setext'],
      ['quote', '> quoted', 'Boats and oars / Setext'],
      ['html', '<p>html</p>', 'Boats and oars / Setext'],
      ['definition', '[ref]: https://example.org', 'Boats and oars / Setext'],
      ['heading', '### Deep [link](x) &amp; more', 'Boats and oars / Setext / Deep link & more'],
      ['paragraph', 'Text[^1].', 'Boats and oars / Setext / Deep link & more'],
      ['footnoteDefinition', '[^1]: A note.', 'Boats and oars / Setext / Deep link & more'],
      ['heading', '# Other', 'Other'],
      ['paragraph', 'End.', 'Other'],
    ]);
  });

  test('a long list or quote is cut between its items, which keep their marks', () => {
    const item = `- ${'oar '.repeat(60)}\n`;
    const blocks = outline(item.repeat(10));
    expect(blocks).toHaveLength(10);
    for (const [kind, text] of blocks) expect([kind, text]).toEqual(['list', item.trim()]);
    expect(outline(`> ${'oar '.repeat(200)}\n>\n> ${'tar '.repeat(200)}`).map(([kind]) => kind)).toHaveLength(2);
  });

  test('they are in order, do not overlap, and hold everything that is not blank', () => {
    const piece = fc.constantFrom(
      ...[
        '# a\n',
        '\n',
        '\n\n',
        '- b\n',
        '  - c\n',
        '> d\n',
        '>\n',
        '-\n',
        '```\n',
        '~~~\n',
        '|e|f|\n',
        '|-|-|\n',
        '    g\n',
        'h\n',
      ],
      ...[
        '---\n',
        '===\n',
        '<div>\n',
        '<!--',
        '-->',
        '[i]: j\n',
        '[^k]: l\n',
        '\t',
        '\r\n',
        '1. m\n',
        '\u2400',
        '🛶',
        '\\',
        '&',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = `x${pieces.join('')}`;
        const { blocks, notes } = readMarkdown(text);
        expect(notes).toBeUndefined();
        let done = 0;
        for (const { start, end } of [...blocks, { start: text.length, end: text.length }]) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(text.slice(done, start).trim()).toBe('');
          done = end;
        }
        for (const { start, end } of blocks) expect(end).toBeGreaterThan(start);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('title', () => {
  test.each([
    ['---\ntitle: From the matter\n---\n# Heading\n', 'From the matter'],
    ['---\r\ntitle: "Quoted: yes"\r\n---\r\ntext', 'Quoted: yes'],
    ['---\ntitle: 1984\n---\ntext', '1984'],
    ['---\ntags: [a]\n---\n## Second\n\n# First\n# Next', 'First'],
    ['text\n\nSetext *title*\n===', 'Setext title'],
    ['# Oars [![built][badge]][builds] ![](x.png)\n\n[badge]: b.png\n[builds]: /b', 'Oars'],
    ['# ![Oars](logo.png)', 'Oars'],
    ['<h1 align="center">\n  <img src="x"> The <b>boat</b>\n</h1>\n\n## Use', 'The boat'],
    ['<h1>\n<a name="x">Oars</a></h1>\n<h1>Other</h1>', 'Oars'],
    ['<h1 never closed\n\n# Oars', 'Oars'],
    ['<header>none</header>\n\n# Oars', 'Oars'],
    ['---\n"quoted key" : 1\ntitle: Oars\n---\n', 'Oars'],
    ['+++\ntitle = "TOML is left out"\n+++\n# Heading', 'Heading'],
    ['#\n\n# C#', 'C#'],
  ])('%j', (text, title) => expect(readMarkdown(text).title).toBe(title));

  test('the name of the file where there is none', async () => {
    expect((await readContent('boat care.md', '## Part\n\ntext')).document.title).toBe('boat care');
  });
});

describe('front matter', () => {
  test('is metadata, as JSON has it, and no block', () => {
    const text = '---\ntitle: Oars\ndate: 2024-05-01\nid: 12345678901234567890\ntags: [a, b]\nnone:\n---\n\nText.\n';
    const { metadata } = readMarkdown(text);
    expect(metadata).toMatchObject({ title: 'Oars', date: '2024-05-01', tags: ['a', 'b'], none: null });
    expect(JSON.parse(JSON.stringify(metadata))).toEqual(metadata);
    expect(outline(text)).toEqual([['paragraph', 'Text.', '']]);
  });

  test.each([
    ['an alias of itself', 'a: &a\n  b: *a'],
    [
      'aliases without end',
      `a: &a [x,x,x,x]\n${[...'bcdefgh'].map((k, i) => `${k}: &${k} [${`*${'abcdefg'[i]},`.repeat(9)}]`).join('\n')}`,
    ],
    ['a key twice', 'a: 1\na: 2'],
    ['more than is sensible', `a: ${'x'.repeat(30_000)}`],
  ])('%s is noted and left out', (_, yaml) => {
    const { notes, metadata, blocks } = readMarkdown(`---\n${yaml}\n---\n\nText.\n`);
    expect(notes).toEqual([expect.stringMatching(/^front matter .*not used/)]);
    expect(metadata).toBeUndefined();
    expect(blocks).toHaveLength(1);
  });
});

describe('bounds', () => {
  test('what comes before changes no block of a section', () => {
    const section = (i: number) =>
      `${'#'.repeat(1 + (i % 3))} Part ${i}\n\n${'Row the boat.\n'.repeat(20)}\n` +
      '```sh\n\n# a comment\n\n```\n\n~~~~\n\n# another\n```\n\n~~~~\n\n- item\n\n  more\n\n# Tail\n\n';
    const text = Array.from({ length: 300 }, (_, i) => section(i)).join('');
    const whole = outline(text);
    const apart = Array.from({ length: 300 }, (_, i) => outline(section(i))).flat();
    expect(whole.map(([kind, body]) => [kind, body])).toEqual(apart.map(([kind, body]) => [kind, body]));
    expect(whole.filter(([kind]) => kind === 'heading')).toHaveLength(600);
  });

  test.each([
    ['quotes within quotes', '>'.repeat(50_000)],
    ['lists within lists', '* '.repeat(50_000)],
    ['more than is sensible', 'row '.repeat(1_100_000)],
  ])('%s are read as plain text, which is noted', (_, text) => {
    const { blocks, notes } = readMarkdown(text);
    expect(blocks).toHaveLength(1);
    expect(notes).toEqual([expect.stringMatching(/^read as plain text: /)]);
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['links', '[a](<b'.repeat(20_000)],
    ['emphasis', 'a**b'.repeat(50_000)],
    ['lines', 'row row\n'.repeat(30_000)],
    ['open tags in a heading', `<h1>${'<'.repeat(300_000)}</h1>`],
    ['openings of headings', '<h1 '.repeat(150_000)],
    ['headings without an end', `<div>${'<h1>'.repeat(150_000)}`],
    ['spaces in front matter', `---\na${' '.repeat(300_000)}\n---\n`],
    ['footnotes on one line', '[^a]: '.repeat(60_000)],
    ['definitions', '[a]: b "\n'.repeat(50_000)],
    ['titles that do not end', '[a]: (\n'.repeat(50_000)],
    ['labels', '[a\n'.repeat(50_000)],
    ['bars', `${'|'.repeat(100_000)}\n${'|-'.repeat(100_000)}\n`],
    ['headers of tables', 'a|b\n|-|\n'.repeat(30_000)],
    ['attributes', `<a${' b'.repeat(8_000)}\n\n`.repeat(20)],
    ['backslashes', `${'\\\\'.repeat(100_000)}|\n|-|`],
    ['backslashes in a label', `[^${'\\'.repeat(900)}\n`.repeat(50)],
    ['fences', '```a\n'.repeat(50_000)],
    [
      'blank lines in lists',
      `${Array.from({ length: 150 }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')}${'\n'.repeat(300_000)}`,
    ],
    ['marks of lists and breaks', '* '.repeat(90).concat('* x '.repeat(50_000))],
    ['lists', Array.from({ length: 300 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n')],
  ])('a text of nothing but %s ends soon', (_, text) => {
    const before = process.cpuUsage();
    readMarkdown(text);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });

  test('a line longer than anybody writes is a block of its own, and what is around it is read as ever', () => {
    const long = `![](data:${'x'.repeat(150_000)})`;
    expect(outline(`# Oars\n\n- a\n\n${long}\n\n## Care\n\n- b\n`).map(([kind, , heading]) => [kind, heading])).toEqual(
      [
        ['heading', 'Oars'],
        ['list', 'Oars'],
        ['paragraph', 'Oars'],
        ['heading', 'Oars / Care'],
        ['list', 'Oars / Care'],
      ],
    );
    const fenced = `\`\`\`\n${long}\n\`\`\`\n\nText.\n`;
    expect(outline(fenced).map(([kind]) => kind)).toEqual(['code', 'paragraph']);
  });
});
