import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));
/** What a search of words loads: the command line, its settings, the command, and what reads a plain question. */
const entries = ['cli/main.ts', 'cli/apply-settings.ts', 'cli/search-command.ts', 'storage/parse-question.ts'];
const staticImport = /^(?:import|export) (?!type\b)(?:[^'";]*? from )?'([^']+)'/gm;

/** Every file that is loaded with these, and the packages. */
function loadedWith(files: readonly string[]): { own: string[]; packages: string[] } {
  const own = new Set(files.map((file) => resolve(source, file)));
  const packages = new Set<string>();
  for (const file of own)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(staticImport)) {
      if (name!.startsWith('.')) own.add(resolve(dirname(file), name!.replace(/\.js$/, '.ts')));
      else if (!name!.startsWith('node:')) packages.add(name!);
    }
  return {
    own: [...own].map((file) => relative(source, file).replaceAll('\\', '/')).sort(),
    packages: [...packages].sort(),
  };
}

test('a search of words loads few files: each takes half a millisecond, the most of what a first search takes', () => {
  const { own, packages } = loadedWith(entries);
  expect(own).toContain('storage/sqlite-store.ts');
  expect(own.length).toBeLessThanOrEqual(125);
  expect(packages).toEqual(['better-sqlite3', 'commander', 'env-paths', 'leven', 'picocolors', 'porter2']);
});

test('a search of words loads nothing that indexes, embeds, writes hypotheses or explains', () => {
  const { own } = loadedWith(entries);
  const kinds =
    /index\.ts$|chunk-(?:split|limit|overlap)|indexing|\/embed|hypotheses|prefetch|refine|text-segments|detect-language|snowball|put-thread|maintenance|operator-rows|stored-vectors|static|provider|generator|explain|why/;
  expect(own.filter((file) => kinds.test(file))).toEqual([]);
});
