import type { Block } from '../core/chunk.js';
import { reasonOf } from '../core/errors.js';
import type { Format, Reading } from './formats.js';
import { fromText } from './from-text.js';
import { blocksOfTree } from './source-definitions.js';
import { grammarIdentity, withTree } from './source-grammar.js';
import { type SourceLanguage, sourceLanguages } from './source-languages.js';
import { blocksByLines } from './source-lines.js';

/** In UTF-16 units. Longer programs were written by programs, and their trees take much memory. */
const longestParsed = 1_000_000;

const extensionsByLines: readonly string[] = [
  ...['vue', 'svelte', 'css', 'scss', 'less'],
  ...['pl', 'pm', 'lua', 'r', 'jl', 'zsh', 'fish', 'ps1', 'sql'],
  ...['m', 'mm', 'zig', 'nim', 'd', 'swift', 'f90', 'sol'],
  ...['kt', 'kts', 'scala', 'groovy', 'gradle', 'clj', 'cljs', 'dart', 'fs', 'vb'],
  ...['hs', 'ml', 'mli', 'elm', 'ex', 'exs', 'erl', 'lisp', 'el', 'scm', 'proto', 'graphql', 'tf', 'cmake'],
];
const namesByLines: readonly string[] = ['MAKEFILE', 'DOCKERFILE', 'JENKINSFILE'];

/** Source code: one format for each language with a grammar, and one for all others. */
export const sourceFormats: readonly Format[] = [
  ...sourceLanguages.map((language) => ({
    name: `${language.name} source code`,
    extensions: language.extensions,
    ...(language.names && { names: language.names }),
    variant: () => grammarIdentity(language.grammar),
    read: fromText((text) => readWithGrammar(text, language)),
  })),
  {
    name: 'source code',
    extensions: extensionsByLines,
    names: namesByLines,
    read: fromText((text) => ({ blocks: blocksByLines(text) })),
  },
];

async function readWithGrammar(text: string, language: SourceLanguage): Promise<Pick<Reading, 'blocks' | 'notes'>> {
  if (text.length > longestParsed) return { blocks: blocksByLines(text) };
  let parsed: { readonly value: Block[] } | undefined;
  try {
    parsed = await withTree(language.grammar, text, (root) => blocksOfTree(text, root, language));
  } catch (error) {
    return { blocks: blocksByLines(text), notes: [`split by lines: ${reasonOf(error)}`] };
  }
  return { blocks: parsed?.value ?? blocksByLines(text) };
}
