import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SettingName, settingNames, variableOf } from '../../src/cli/settings.js';
import type { SearchResult } from '../../src/core/index.js';
import { surmise } from '../cli/surmise.js';
import { makeWorkspace } from '../cli/workspace.js';

const home = await makeWorkspace({
  'docs/canoe.md': '# Canoes\n\nA canoe is paddled on rivers and lakes.\n\n# Sails\n\nA canoe may carry a sail.\n',
  'docs/kayak.md': '# Kayaks\n\nThe paddle of a kayak has two blades; a canoe has one.\n',
  'docs/long.md': `# Long\n\n${'A raft floats. '.repeat(100)}\n`,
  'elsewhere/ferry.md': 'A ferry crosses the river.\n',
});
const folder = join(home, 'project');
const index = join(home, 'canoe.db');

type Variables = Readonly<Record<string, string>>;

const run = (args: readonly string[], variables: Variables = {}) => surmise(args, { home, cwd: folder, variables });

const configPath = join(folder, 'surmise.config.json');

async function withConfig<T>(content: unknown, work: () => Promise<T>): Promise<T> {
  await writeFile(configPath, JSON.stringify(content));
  try {
    return await work();
  } finally {
    await rm(configPath);
  }
}

/** `search.k` with 3 as `{search: {k: 3}}`. */
function nested(name: string, value: unknown): unknown {
  return name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

beforeAll(async () => {
  await mkdir(folder);
  await symlink(join(home, 'elsewhere', 'ferry.md'), join(home, 'docs', 'ferry.md'));
  expect(await run(['index', join(home, 'docs'), '--index', index])).toMatchObject({ code: 0 });
}, 60_000);

const search = async (variables = {}) => {
  const { stdout } = await run(['search', 'canoe', '--index', index, '--json'], variables);
  return JSON.parse(stdout) as SearchResult;
};
const shape = ({ mode, hits, trace, reason }: SearchResult) => ({
  mode,
  hits: hits.map(({ id, score }) => [id, score]),
  fusion: trace.fusion,
  hyde: trace.gate,
  feedback: trace.hypotheses.length,
  reason,
});
/** What an indexing run from nothing would do. */
const dryRun = async (variables = {}) => {
  const { stdout, code } = await run(
    ['index', join(home, 'docs'), '--index', join(home, 'new.db'), '--dry-run', '--json'],
    variables,
  );
  const { added, skipped, embedded } = JSON.parse(stdout);
  return { code, added, skipped, embedded };
};

/** A value of each setting, and something that it must change. */
const cases: Record<
  SettingName,
  { value: string; inFile: unknown; observe: (variables?: Variables) => Promise<unknown> }
> = {
  index: {
    value: index,
    inFile: '../canoe.db',
    observe: async (variables = {}) => {
      const { code, stdout } = await run(['status', '--json'], variables);
      return [code, JSON.parse(stdout).location];
    },
  },
  'embedder.provider': { value: 'none', inFile: 'none', observe: dryRun },
  'search.k': { value: '1', inFile: 1, observe: async (v) => (await search(v)).hits.length },
  'search.hyde': { value: 'off', inFile: 'off', observe: async (v) => (await search(v)).trace.gate },
  'search.mode': { value: 'lexical', inFile: 'lexical', observe: async (v) => (await search(v)).mode },
  'search.per': { value: 'chunk', inFile: 'chunk', observe: async (v) => shape(await search(v)).hits },
  'search.minScore': { value: '0.95', inFile: 0.95, observe: async (v) => (await search(v)).hits.length },
  'search.feedback': { value: 'no', inFile: false, observe: async (v) => shape(await search(v)).feedback },
  'search.fusion': { value: 'rrf', inFile: 'rrf', observe: async (v) => shape(await search(v)).fusion },
  'search.denseWeight': { value: '0.9', inFile: 0.9, observe: async (v) => shape(await search(v)).fusion },
  'indexing.maxBytes': { value: '1000', inFile: 1000, observe: dryRun },
  'indexing.maxFiles': {
    value: '1',
    inFile: 1,
    observe: async (v) => (await run(['index', join(home, 'docs'), '--index', ':memory:', '--json'], v)).code,
  },
  'indexing.followLinks': { value: 'true', inFile: true, observe: dryRun },
  'indexing.include': { value: 'canoe.md,kayak.md', inFile: ['canoe.md'], observe: dryRun },
  'indexing.exclude': { value: '**/canoe.md', inFile: ['**/canoe.md'], observe: dryRun },
};

describe('FR-198 every setting changes what happens', () => {
  test.each(settingNames)('%s', async (name) => {
    const { value, inFile, observe } = cases[name];
    const before = await observe();
    const byVariable = await observe({ [variableOf(name)]: value });
    expect(byVariable).not.toEqual(before);
    const byFile = await withConfig(nested(name, inFile), () => observe());
    expect(byFile).not.toEqual(before);
    expect(await observe()).toEqual(before);
  });
});
