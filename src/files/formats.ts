import { basename, extname } from 'node:path';
import type { Block } from '../core/chunk.js';
import type { Json } from '../core/ports.js';
import { readCsv, readTsv } from './csv.js';
import { readDocx } from './docx.js';
import { readEml } from './eml.js';
import { fromText } from './from-text.js';
import { readHtml } from './html.js';
import { readJson } from './json.js';
import { readJsonLines } from './jsonl.js';
import { readMarkdown } from './markdown.js';
import { readPdf } from './pdf.js';
import { readPlainText } from './plain-text.js';
import type { SkipReason } from './skip.js';
import { sourceFormats } from './source-code.js';

/** What a reader makes of a file. */
export interface Reading {
  /** What is indexed and shown; offsets count its UTF-16 units. */
  readonly text: string;
  /** As the file itself has it; its name stands in where it has none. */
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  /** In order, not overlapping, holding everything that is to be found. */
  readonly blocks: readonly Block[];
  /** What a user should know about how it was read. */
  readonly notes?: readonly string[];
}

/** Why there is nothing to read in a file. */
export interface NoReading {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** Reads the bytes of one file, or says why there is nothing to read. It never throws for what a file holds. */
export type Reader = (bytes: Uint8Array) => Promise<Reading | NoReading>;

export interface Format {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Names of files that have no extension, upper case. */
  readonly names?: readonly string[];
  /** Stands for what else decides how a file is read, such as a parser that may be installed. */
  readonly variant?: () => Promise<string>;
  readonly read: Reader;
}

/** The formats that can be indexed: a further one is its reader's file and a line here. */
export const formats: readonly Format[] = [
  {
    name: 'markdown',
    extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx', 'qmd', 'rmd'],
    read: fromText(readMarkdown),
  },
  {
    name: 'plain text',
    extensions: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'log', 'tex', 'textile', 'wiki', 'pod', 'srt', 'vtt'],
    names: [
      'README',
      'LICENSE',
      'LICENCE',
      'COPYING',
      'NOTICE',
      'CHANGELOG',
      'CHANGES',
      'HISTORY',
      'NEWS',
      'AUTHORS',
      'CONTRIBUTORS',
      'CONTRIBUTING',
      'INSTALL',
      'TODO',
      'FAQ',
    ],
    read: fromText(readPlainText),
  },
  { name: 'HTML', extensions: ['html', 'htm', 'xhtml'], read: fromText(readHtml) },
  { name: 'PDF', extensions: ['pdf'], read: readPdf },
  { name: 'DOCX', extensions: ['docx'], read: readDocx },
  { name: 'email', extensions: ['eml'], read: readEml },
  { name: 'JSON', extensions: ['json'], read: fromText(readJson) },
  { name: 'JSONL', extensions: ['jsonl', 'ndjson'], read: fromText(readJsonLines) },
  { name: 'CSV', extensions: ['csv'], read: fromText(readCsv) },
  { name: 'TSV', extensions: ['tsv', 'tab'], read: fromText(readTsv) },
  ...sourceFormats,
];

/** The format of a path, by its extension or name; a sentence about what is missing when there is none. */
export function formatOf(path: string): Format | string {
  const name = basename(path);
  const extension = extname(name).slice(1).toLowerCase();
  const format = formats.find(({ extensions, names }) =>
    extension === '' ? names?.includes(name.toUpperCase()) : extensions.includes(extension),
  );
  return format ?? (extension === '' ? 'the name has no extension' : `.${extension} files are not read`);
}
