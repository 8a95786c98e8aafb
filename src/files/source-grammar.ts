import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { messageOf } from '../core/errors.js';
import type { SyntaxNode } from './source-definitions.js';
import { sourceLanguages } from './source-languages.js';

type Parser = import('@vscode/tree-sitter-wasm').Parser;

/** Computing time, since the clock also counts what else the machine does. */
const maxSeconds = 2;
const runtimeFile = 'tree-sitter.wasm';
const fileOf = (grammar: string) => `tree-sitter-${grammar}.wasm`;

/** What the first use finds holds for the process; a failure too, so that no further file waits for it. */
let installed: Promise<ReadonlyMap<string, string>> | undefined;
const parsers = new Map<string, Promise<Parser>>();
const identities = new Map<string, Promise<string>>();
/** Why nothing can be parsed any more: after a fault, the memory that all parsers share may be in any state. */
let broken: string | undefined;

/** Languages whose source code is split at definitions: those with a grammar in the optional package. */
export async function grammarsPresent(): Promise<string[]> {
  const files = await installedFiles();
  return sourceLanguages.filter(({ grammar }) => files.has(fileOf(grammar))).map(({ name }) => name);
}

/** Stands for the parser that reads a language: equal identity, equal trees. `lines` without a grammar. */
export function grammarIdentity(grammar: string): Promise<string> {
  return once(identities, grammar, async () => {
    const files = await installedFiles();
    const paths = [files.get(runtimeFile), files.get(fileOf(grammar))];
    const hash = createHash('sha256');
    for (const path of paths) {
      if (path === undefined) return 'lines';
      hash.update(await readFile(path).catch(() => 'unreadable'));
    }
    return hash.digest('hex').slice(0, 16);
  });
}

/**
 * What `use` makes of the syntax tree of a text; nothing when the grammar is not installed. The tree is only there
 * during the call.
 *
 * @throws Error when the grammar does not load, or parsing the text takes more than two seconds
 */
export async function withTree<T>(
  grammar: string,
  text: string,
  use: (root: SyntaxNode) => T,
): Promise<{ readonly value: T } | undefined> {
  const path = (await installedFiles()).get(fileOf(grammar));
  if (path === undefined) return;
  const parser = await once(parsers, grammar, () => load(path));
  if (broken !== undefined) throw new Error(broken);
  let result: { readonly value: T } | undefined;
  try {
    const before = process.cpuUsage();
    const tree = parser.parse(text, null, {
      progressCallback: () => process.cpuUsage(before).user > maxSeconds * 1_000_000,
    });
    if (tree === null) parser.reset();
    else {
      result = { value: use(tree.rootNode) };
      tree.delete();
    }
  } catch (error) {
    broken = `the parser failed: ${messageOf(error)}`;
    throw new Error(broken);
  }
  if (result === undefined) throw new Error(`parsing takes more than ${maxSeconds} seconds`);
  return result;
}

async function load(path: string): Promise<Parser> {
  const { default: api } = await import('@vscode/tree-sitter-wasm');
  await api.Parser.init();
  return new api.Parser().setLanguage(await api.Language.load(path));
}

/** Paths of the runtime and the grammars by name; none where the package is not installed. */
function installedFiles(): Promise<ReadonlyMap<string, string>> {
  installed ??= (async () => {
    try {
      const folder = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
      return new Map((await readdir(folder)).map((name) => [name, join(folder, name)]));
    } catch {
      return new Map();
    }
  })();
  return installed;
}

function once<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}
