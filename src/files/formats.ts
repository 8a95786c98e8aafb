import { basename, extname } from 'node:path';
import type { Block } from '../core/chunk.js';
import type { Json } from '../core/ports.js';
import { fromText } from './from-text.js';
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

/**
 * The formats that can be indexed: a further one is its reader's file and a line here. A reader is loaded, with the library
 * that it needs, when the first file of its format is read.
 */
export const formats: readonly Format[] = [
  {
    name: 'markdown',
    extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx', 'qmd', 'rmd'],
    read: fromText(async (text) => (await import('./markdown.js')).readMarkdown(text)),
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
    read: fromText(async (text) => (await import('./plain-text.js')).readPlainText(text)),
  },
  {
    name: 'HTML',
    extensions: ['html', 'htm', 'xhtml'],
    read: fromText(async (text) => (await import('./html.js')).readHtml(text)),
  },
  { name: 'PDF', extensions: ['pdf'], read: async (bytes) => (await import('./pdf.js')).readPdf(bytes) },
  { name: 'DOCX', extensions: ['docx'], read: async (bytes) => (await import('./docx.js')).readDocx(bytes) },
  { name: 'email', extensions: ['eml'], read: async (bytes) => (await import('./eml.js')).readEml(bytes) },
  { name: 'JSON', extensions: ['json'], read: fromText(async (text) => (await import('./json.js')).readJson(text)) },
  {
    name: 'JSONL',
    extensions: ['jsonl', 'ndjson'],
    read: fromText(async (text) => (await import('./jsonl.js')).readJsonLines(text)),
  },
  { name: 'CSV', extensions: ['csv'], read: fromText(async (text) => (await import('./csv.js')).readCsv(text)) },
  { name: 'TSV', extensions: ['tsv', 'tab'], read: fromText(async (text) => (await import('./csv.js')).readTsv(text)) },
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
