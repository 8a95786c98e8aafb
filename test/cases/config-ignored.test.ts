import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SettingName, settingNames, variableOf } from '../../src/cli/settings.js';
import type { SearchResult } from '../../src/core/index.js';
import { surmise } from '../cli/surmise.js';
import { makeWorkspace } from '../cli/workspace.js';
import { type Answer, completion, embeddings, openAiServer, type Received } from '../models/openai-server.js';

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
  const profile = (name: string) =>
    `[${name}]\naws_access_key_id = AKID${name.toUpperCase()}\naws_secret_access_key = secret\n`;
  await writeFile(credentials, profile('default') + profile('work'));
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

/** Speaks for OpenAI's form of embeddings and chats, and for Bedrock's. */
const server = await openAiServer(({ path, body }): Answer => {
  if (path.endsWith('/embeddings'))
    return {
      json: embeddings(
        body.input!.map((text) => Array.from({ length: Number(body.dimensions ?? 3) }, (_, i) => text.length + i)),
      ),
    };
  if (path.endsWith('/invoke'))
    return { json: { embedding: Array.from({ length: 1024 }, (_, i) => i), inputTextTokenCount: 1 } };
  if (path.endsWith('/converse'))
    return {
      json: {
        output: { message: { role: 'assistant', content: [{ text: 'A canoe floats.' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      },
    };
  return { json: completion('A canoe floats on lakes.') };
});
afterAll(() => server[Symbol.asyncDispose]());

const credentials = join(home, 'credentials');
const aws = {
  AWS_SHARED_CREDENTIALS_FILE: credentials,
  AWS_CONFIG_FILE: join(home, 'none'),
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_PROFILE: '',
};

/** What the last call of a command told the server: who, what, for which model. */
async function told(args: readonly string[], variables: Variables): Promise<unknown> {
  const before = server.received.length;
  const { code } = await run(args, { ...aws, ...variables });
  const calls: readonly Received[] = server.received.slice(before);
  const last = calls.at(-1);
  return {
    code,
    calls: calls.length > 0,
    path: last?.path,
    model: last?.body.model,
    dimensions: last?.body.dimensions,
    // Without the signature, which changes with the time.
    who: last?.headers.authorization?.replace(/\d{8}|Signature=.*/g, ''),
  };
}
const embed =
  (embedder: string, fixed: Variables = {}) =>
  (variables: Variables = {}) =>
    told(['index', join(home, 'docs', 'canoe.md'), '--index', ':memory:', '--embedder', embedder], {
      ...fixed,
      ...variables,
    });
const generate =
  (generator: string, fixed: Variables = {}) =>
  (variables: Variables = {}) =>
    told(['search', 'what floats?', '--index', index, '--hyde', 'on', '--no-cache', '--generator', generator], {
      ...fixed,
      ...variables,
    });
const embedUrl = { SURMISE_EMBEDDER_BASE_URL: server.url };
const generateUrl = { SURMISE_GENERATOR_BASE_URL: server.url };
const written = async (variables?: Variables) => {
  const { stdout } = await run(
    [
      'search',
      'what floats?',
      '--index',
      index,
      '--hyde',
      'on',
      '--no-cache',
      '--generator',
      'openai-compatible:m',
      '--json',
    ],
    { ...generateUrl, ...variables },
  );
  return (JSON.parse(stdout) as SearchResult).trace.generator?.wanted;
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
  cache: {
    value: 'no',
    inFile: false,
    observe: async (variables = {}) => {
      const twice = () =>
        told(['search', 'what floats?', '--index', index, '--hyde', 'on', '--generator', 'openai-compatible:m'], {
          ...generateUrl,
          ...variables,
        });
      await twice();
      return twice();
    },
  },
  'embedder.provider': { value: 'none', inFile: 'none', observe: dryRun },
  'embedder.model': { value: 'tiny', inFile: 'tiny', observe: embed('openai-compatible', embedUrl) },
  'embedder.dimensions': { value: '5', inFile: 5, observe: embed('openai-compatible:tiny', embedUrl) },
  'embedder.baseUrl': { value: server.url, inFile: server.url, observe: embed('openai-compatible:tiny') },
  'embedder.apiKey': { value: 'own', inFile: 'own', observe: embed('openai-compatible:tiny', embedUrl) },
  'embedder.region': { value: 'eu-west-1', inFile: 'eu-west-1', observe: embed('bedrock', embedUrl) },
  'embedder.profile': { value: 'work', inFile: 'work', observe: embed('bedrock', embedUrl) },
  'generator.provider': {
    value: 'ollama',
    inFile: 'ollama',
    observe: (variables = {}) =>
      told(['search', 'what floats?', '--index', index, '--hyde', 'on', '--no-cache'], {
        ...generateUrl,
        SURMISE_GENERATOR_MODEL: 'm',
        ...variables,
      }),
  },
  'generator.model': { value: 'm', inFile: 'm', observe: generate('openai-compatible', generateUrl) },
  'generator.baseUrl': { value: server.url, inFile: server.url, observe: generate('openai-compatible:m') },
  'generator.apiKey': { value: 'own', inFile: 'own', observe: generate('openai-compatible:m', generateUrl) },
  'generator.region': { value: 'eu-west-1', inFile: 'eu-west-1', observe: generate('bedrock:m', generateUrl) },
  'generator.profile': { value: 'work', inFile: 'work', observe: generate('bedrock:m', generateUrl) },
  'search.n': { value: '2', inFile: 2, observe: written },
  'search.deadlineMs': {
    value: '1',
    inFile: 1,
    observe: async (variables) => {
      const { stdout } = await run(
        [
          'search',
          'what floats?',
          '--index',
          index,
          '--hyde',
          'on',
          '--no-cache',
          '--generator',
          'openai-compatible:m',
          '--json',
        ],
        { ...generateUrl, ...variables },
      );
      return (JSON.parse(stdout) as SearchResult).trace.hypotheses.some(({ source }) => source === 'generator');
    },
  },
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
  'indexing.maxTokens': {
    value: '0',
    inFile: 0,
    observe: async (v) =>
      (await run(['index', join(home, 'docs', 'canoe.md'), '--index', ':memory:', '--embedder', 'static'], v)).code,
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
