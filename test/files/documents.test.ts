import { describe, expect, test } from 'vitest';
import { formatOf, type Reading } from '../../src/files/index.js';
import { docx, pdf, zip } from './archive.js';

/** What the reader of that format makes of the bytes. */
function read(name: string, content: string | Uint8Array) {
  const format = formatOf(name);
  if (typeof format === 'string') throw new Error(format);
  return format.read(Buffer.from(content));
}

async function reading(name: string, content: string | Uint8Array): Promise<Reading> {
  const result = await read(name, content);
  if ('reason' in result) throw new Error(`${result.reason}: ${result.detail}`);
  return result;
}

/** Blocks as `heading > path: text`. */
function outline({ text, blocks }: Reading): string[] {
  return blocks.map(({ start, end, heading = [] }) => [...heading, text.slice(start, end)].join(' > '));
}

describe('HTML', () => {
  test('headings, paragraphs, lists and tables; no scripts, styles or navigation', async () => {
    const page = await reading(
      'page.html',
      `<!doctype html><html><head><title>Bees &amp; hives</title><style>p { color: red }</style></head><body>
      <nav><a href="/">Home</a></nav><h1>The <em>hive</em></h1><p>Bees live in a <a href="x">hive</a>.</p>
      <script>alert('no')</script><h2>Honey</h2><ul><li>clover</li><li>heather</li></ul>
      <table><tr><th>Month</th><th>Yield</th></tr><tr><td><p>June</p></td><td>4 kg</td></tr></table>
      <h1>Wax</h1><pre>a\n\n# no heading</pre><img src="c.png" alt="a candle"></body></html>`,
    );
    expect(page.title).toBe('Bees & hives');
    expect(outline(page)).toEqual([
      'The hive > # The hive',
      'The hive > Bees live in a hive.',
      'The hive > Honey > ## Honey',
      'The hive > Honey >  * clover\n * heather',
      'The hive > Honey > Month | Yield\nJune | 4 kg',
      'Wax > # Wax',
      'Wax > a',
      'Wax > # no heading',
      'Wax > a candle',
    ]);
  });

  test('author, tags and dates are those of its meta elements', async () => {
    const page = await reading(
      'page.html',
      `<meta charset="utf-8"><meta name="Author" content="Ada Bee"><meta name="keywords" content="bees, wax , bees">
      <meta property="article:tag" content="old honey"><meta property="article:published_time" content="2024-05-01T09:30Z">
      <meta name="last-modified" content="yesterday"><meta property="article:modified_time" content="2024/6/2">
      <meta name="viewport" content="x"><meta name="date"><p>Wax.</p>`,
    );
    expect(page.text.trim()).toBe('Wax.');
    expect(page.metadata).toEqual({
      author: 'Ada Bee',
      tags: ['bees', 'wax', 'old honey'],
      date: '2024-05-01T09:30Z',
      updated: '2024-06-02',
    });
    expect(
      (await reading('a.html', '<meta name="author" content="A"><meta name="dc.creator" content="B">x')).metadata,
    ).toEqual({
      author: ['A', 'B'],
    });
    expect(await reading('a.html', '<p>x</p>')).not.toHaveProperty('metadata.author');
  });

  test('a fragment takes its title from the first heading of level 1', async () => {
    expect(await reading('part.htm', '<h2>Before</h2><h1>Tides</h1>Twice a day.')).toMatchObject({ title: 'Tides' });
  });

  test('a page without words is empty', async () => {
    expect(await read('a.html', '<script>var a;</script>')).toMatchObject({ reason: 'empty' });
  });

  test.each(['<div>'.repeat(50_000), '<div class="[&>p]:m">'.repeat(600), `<table>${'<tr><td><b>'.repeat(2_000)}`])(
    'what is nested too deep is read without its layout, which is noted: %.30s',
    async (deep) => {
      const { text, title, notes } = await reading('a.html', `<title>T</title><p>Top.</p>${deep}<h2>H</h2>deep`);
      expect(text.trim().split(/\s+/)).toEqual(['Top.', '##', 'H', 'deep']);
      expect([title, notes]).toEqual(['T', ['nested deeper than 500 elements: read without its layout']]);
    },
  );

  test('what is nested too deep even so is noted, or is all', async () => {
    const deep = `${'<x-y>'.repeat(600)}deep${'</x-y>'.repeat(600)}`;
    const { text, notes } = await reading('a.html', `<p>Top.</p>${deep}<p>End.`);
    expect(text.trim().split(/\s+/)).toEqual(['Top.', '…', 'End.']);
    expect(notes).toEqual([expect.stringMatching(/deeper than 500 elements.*not all of it/)]);
    const mail = await reading('a.eml', `Subject: S\nContent-Type: text/html\n\n<p>Top.</p>${deep}`);
    expect(mail.notes).toEqual(notes);
    expect(await read('a.html', deep)).toMatchObject({ reason: 'damaged', detail: expect.stringMatching(/deeper/) });
  });
});

describe('PDF', () => {
  test('text by page with its paragraphs, title and number of pages', async () => {
    const file = await reading(
      'a.pdf',
      pdf([['Bees dance', 'on the comb.', '', 'They hum.'], ['Wax melts.']], 'Hives'),
    );
    expect(file).toMatchObject({ title: 'Hives', metadata: { pages: 2 } });
    expect(outline(file)).toEqual(['page 1 > Bees dance\non the comb.', 'page 1 > They hum.', 'page 2 > Wax melts.']);
  });

  test('author, tags and dates are those of its own data', async () => {
    // The title's bracket is closed early, so that more can follow.
    const said = async (more: string) => (await reading('a.pdf', pdf([['Bees dance.']], `Hives) ${more}`))).metadata;
    expect(
      await said("/Keywords (bees; wax,wax) /CreationDate (D:20240501103000+02'00') /ModDate (D:20240502"),
    ).toEqual({
      pages: 1,
      tags: ['bees', 'wax'],
      date: '2024-05-01T10:30:00+02:00',
      updated: '2024-05-02',
    });
    expect(await said('/Author (Ada Bee) /CreationDate (yesterday) /Producer (x')).toEqual({
      pages: 1,
      author: 'Ada Bee',
    });
  });

  test('an encrypted, a damaged and an empty one say so', async () => {
    const hex = `<${'41'.repeat(32)}>`;
    const lock = `/ID [${hex} ${hex}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex} /U ${hex} /P -4 >>`;
    expect(await read('a.pdf', pdf([['Secret.']], 'x', lock))).toMatchObject({ reason: 'encrypted' });
    expect(await read('a.pdf', 'no PDF at all')).toMatchObject({ reason: 'damaged' });
    expect(await read('a.pdf', pdf([[]], 'x'))).toMatchObject({
      reason: 'empty',
      detail: expect.stringContaining('1 page'),
    });
  });
});

describe('DOCX', () => {
  const paragraph = (text: string, style = '') =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

  test('author, tags and dates are those of its own data', async () => {
    const said = async (properties: string) =>
      (await reading('a.docx', docx(paragraph('Wax.'), undefined, properties))).metadata;
    expect(
      await said(
        '<dc:creator>Bee &amp; Co</dc:creator><cp:keywords>wax, old honey</cp:keywords><cp:category/>' +
          '<dcterms:created xsi:type="dcterms:W3CDTF">2024-05-01T10:30:00Z</dcterms:created>',
      ),
    ).toEqual({ author: 'Bee & Co', tags: ['wax', 'old honey'], date: '2024-05-01T10:30:00Z' });
    for (const none of ['', '<dc:creator>', '<dc:creator/>', `<dc:creator>${'x'.repeat(200_000)}</dc:creator>`])
      expect(await said(none)).toBeUndefined();
  });

  test('title, headings and tables', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('June')}${cell('4 kg')}</w:tr></w:tbl>`;
    const body = paragraph('Hives', 'Title') + paragraph('Honey', 'Heading2') + paragraph('It is sweet.') + table;
    const file = await reading('a.docx', docx(body));
    expect(file.title).toBe('Hives');
    expect(outline(file)).toEqual([
      'Hives > # Hives',
      'Hives > Honey > ## Honey',
      'Hives > Honey > It is sweet.',
      'Hives > Honey > June | 4 kg',
    ]);
  });

  test('one that unpacks without bound is left out, whatever size it claims', async () => {
    expect(await read('a.docx', docx(' '.repeat(40_000_000), 10))).toMatchObject({ reason: 'size' });
    expect(await read('a.docx', zip({ 'word/media/a.png': '<a>'.repeat(12_000_000) }))).toMatchObject({
      reason: 'size',
    });
    const picture = Buffer.alloc(40_000_000);
    expect(await read('a.docx', zip({ 'word/media/a.bmp': picture }))).toMatchObject({ reason: 'damaged' });
  });

  test('what is no Word document is damaged or encrypted', async () => {
    expect(await read('a.docx', 'PK but no archive')).toMatchObject({ reason: 'damaged' });
    expect(await read('a.docx', zip({ 'a.txt': 'x' }))).toMatchObject({ reason: 'damaged' });
    expect(await read('a.docx', docx(paragraph('x')).slice(0, -30))).toMatchObject({ reason: 'damaged' });
    expect(await read('a.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatchObject({ reason: 'encrypted' });
    expect(await read('a.docx', docx(''))).toMatchObject({ reason: 'empty' });
  });
});

describe('email', () => {
  const head = [
    'From: Ada Bee <ada@example.org>',
    'To: bo@example.org, Cy <cy@example.org>',
    'Date: Mon, 04 Mar 2024 10:00:00 +0000',
    'Subject: =?utf-8?q?Caf=C3=A9_on_Monday?=',
    'MIME-Version: 1.0',
  ];

  test('subject, people, date, words; attachments by name', async () => {
    const mail = await reading(
      'a.eml',
      [
        ...head,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/html; charset=utf-8',
        '',
        '<p>Shall we meet?</p>',
        '--b',
        'Content-Type: application/pdf; name="menu.pdf"',
        'Content-Disposition: attachment; filename="menu.pdf"',
        'Content-Transfer-Encoding: base64',
        '',
        'AAAA',
        '--b--',
        '',
      ].join('\r\n'),
    );
    expect(mail.title).toBe('Café on Monday');
    expect(mail.metadata).toEqual({
      from: 'Ada Bee <ada@example.org>',
      author: 'Ada Bee <ada@example.org>',
      to: ['bo@example.org', 'Cy <cy@example.org>'],
      date: '2024-03-04T10:00:00.000Z',
      attachments: ['menu.pdf'],
    });
    expect(outline(mail)).toEqual(['Shall we meet?', 'Attachments: menu.pdf']);
  });

  test('plain text comes before HTML, a subject alone is enough, no headers are no email', async () => {
    const mail = await reading('a.eml', [...head, '', 'First.', '', 'Second.', ''].join('\r\n'));
    expect(outline(mail)).toEqual(['First.', 'Second.']);
    expect(await reading('a.eml', `${head.join('\r\n')}\r\n\r\n`)).toMatchObject({ text: 'Café on Monday' });
    expect(await read('a.eml', '\r\n\r\nnothing')).toMatchObject({ reason: 'damaged' });
  });
});
