import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tool } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Surmise } from '../../src/core/index.js';
import { indexed } from '../core/library.js';

const root = new URL('../../', import.meta.url);
const pathOf = (name: string) => fileURLToPath(new URL(`examples/${name}`, root));

let surmise: Surmise;
/** Why the frameworks, which have a package of their own, are not there. */
let absent: string | undefined;
beforeAll(async () => {
  surmise = await indexed();
  if (existsSync(pathOf('node_modules/@langchain/core'))) return;
  const options = { cwd: pathOf('.'), encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  if (status !== 0) absent = `the frameworks can not be installed: ${stderr}`;
  if (absent !== undefined && process.env.CI === 'true') throw new Error(absent);
}, 300_000);

describe('the tool for agents of the AI SDK', () => {
  const callOptions = { toolCallId: '1', messages: [] };
  const open = async () => {
    const { surmiseTool } = (await import(pathOf('ai-sdk-tool.ts'))) as {
      surmiseTool: (surmise: Surmise, options?: { k?: number }) => Required<Pick<Tool<unknown, Found>, 'execute'>>;
    };
    return surmiseTool(surmise, { k: 2 });
  };
  interface Found {
    readonly passages: readonly { readonly id: string; readonly text: string }[];
    readonly notes: readonly string[];
  }

  test('finds with the question, and with what the model guesses', async () => {
    const { execute } = await open();
    const found = (await execute({ question: 'When do bees leave the hive?' }, callOptions)) as Found;
    expect(found.passages[0]!.id).toBe('bees#0');
    expect(found.passages.length).toBeLessThanOrEqual(2);
    expect(found.notes).toEqual([]);
    const guess = 'Rosin makes the strings of a violin speak.';
    const guessed = (await execute({ question: 'What is it that squeaks?', guess }, callOptions)) as Found;
    expect(guessed.passages[0]!.id).toBe('violin#0');
  });

  test('ends with the agent', async () => {
    const { execute } = await open();
    const abortSignal = AbortSignal.abort();
    await expect(execute({ question: 'bees' }, { ...callOptions, abortSignal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

test('the retriever for LangChain.js gives documents with where they are from', async (context) => {
  if (absent !== undefined) context.skip(absent);
  interface Retriever {
    invoke(question: string): Promise<{ id?: string; pageContent: string; metadata: Record<string, unknown> }[]>;
  }
  const { SurmiseRetriever } = (await import(pathOf('langchain-retriever.ts'))) as {
    SurmiseRetriever: new (input: { surmise: Surmise; search: { k: number } }) => Retriever;
  };
  const found = await new SurmiseRetriever({ surmise, search: { k: 1 } }).invoke('When do bees leave the hive?');
  expect(found).toMatchObject([{ id: 'bees#0', metadata: { document: 'bees', title: 'Bees', start: 0 } }]);
  expect(found[0]!.pageContent).toContain('hive swarms');
});

test('the retriever for LlamaIndex.TS gives nodes with scores', async (context) => {
  if (absent !== undefined) context.skip(absent);
  interface Retriever {
    retrieve(query: { query: string }): Promise<{ node: { id_: string; text: string }; score?: number }[]>;
  }
  const { SurmiseRetriever } = (await import(pathOf('llamaindex-retriever.ts'))) as {
    SurmiseRetriever: new (surmise: Surmise, search: { k: number }) => Retriever;
  };
  const found = await new SurmiseRetriever(surmise, { k: 1 }).retrieve({ query: 'When do bees leave the hive?' });
  expect(found).toMatchObject([{ node: { id_: 'bees#0' } }]);
  expect(found[0]!.score).toBeGreaterThan(0);
});

test('all of them compile', (context) => {
  if (absent !== undefined) context.skip(absent);
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', pathOf('tsconfig.json')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 120_000);
