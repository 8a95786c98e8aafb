import { basename, extname } from 'node:path';
import type { Block } from '../core/chunk.js';
import type { Json } from '../core/ports.js';
import { fromText } from './from-text.js';
import { readMarkdown } from './markdown.js';
import { readPlainText } from './plain-text.js';
import type { SkipReason } from './skip.js';

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

/** Reads the bytes of one file, or says why there is nothing to read. It never throws for what a file holds. */
export type Reader = (bytes: Uint8Array) => Promise<Reading | { readonly reason: SkipReason; readonly detail: string }>;

export interface Format {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Names of files that have no extension, upper case. */
  readonly names?: readonly string[];
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
