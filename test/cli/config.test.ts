import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SettingName } from '../../src/cli/settings.js';
import type { SearchResult } from '../../src/core/index.js';
import { type Outcome, surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const home = await makeWorkspace({
  'docs/canoe.md': '# Canoes\n\nA canoe is paddled on rivers and lakes.\n\n# Sails\n\nA canoe may carry a sail.\n',
  'docs/kayak.md': '# Kayaks\n\nThe paddle of a kayak has two blades; a canoe has one.\n',
  'docs/long.md': `# Long\n\n${'A raft floats. '.repeat(100)}\n`,
});
const folder = join(home, 'project');
const index = join(home, 'canoe.db');

type Variables = Readonly<Record<string, string>>;

const run = (args: readonly string[], variables: Variables = {}) => surmise(args, { home, cwd: folder, variables });

const configPath = join(folder, 'surmise.config.json');

async function withConfig<T>(content: unknown, work: () => Promise<T>, path = configPath): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  try {
    return await work();
  } finally {
    await rm(path);
  }
}

beforeAll(async () => {
  await mkdir(folder);
  expect(await run(['index', join(home, 'docs'), '--index', index])).toMatchObject({ code: 0 });
}, 60_000);

const search = async (variables = {}) => {
  const { stdout } = await run(['search', 'canoe', '--index', index, '--json'], variables);
  return JSON.parse(stdout) as SearchResult;
};
const settingOf = async (name: SettingName, variables: Variables = {}) => {
  const { stdout } = await run(['config', '--json'], variables);
  const { value, origin } = JSON.parse(stdout).settings[name];
  return { value, origin };
};

test('a flag comes before a variable, that before the file of the project, that before the file of the user', async () => {
  const user = join(home, 'config', 'surmise', 'surmise.config.yaml');
  await withConfig(
    'search:\n  k: 4\n  per: chunk\n',
    async () => {
      expect(await settingOf('search.k')).toEqual({ value: 4, origin: user });
      await withConfig({ search: { k: 3 } }, async () => {
        expect(await settingOf('search.k')).toEqual({ value: 3, origin: configPath });
        expect(await settingOf('search.per')).toEqual({ value: 'chunk', origin: user });
        const variables = { SURMISE_SEARCH_K: '2' };
        expect(await settingOf('search.k', variables)).toEqual({ value: 2, origin: 'SURMISE_SEARCH_K' });
        expect((await search(variables)).hits).toHaveLength(2);
        const { stdout } = await run(['search', 'canoe', '--index', index, '-k', '1', '--json'], variables);
        expect(JSON.parse(stdout).hits).toHaveLength(1);
      });
    },
    user,
  );
  expect(await settingOf('search.k')).toEqual({ value: 10, origin: 'default' });
});

test('the names of other systems count where the own ones are not set, and config says which one counted', async () => {
  const other = { CHATCLI_EMBED_PROVIDER: 'none' };
  expect(await settingOf('embedder.provider', other)).toEqual({ value: 'none', origin: 'CHATCLI_EMBED_PROVIDER' });
  const both = { ...other, SURMISE_EMBEDDER_PROVIDER: 'static' };
  expect(await settingOf('embedder.provider', both)).toEqual({ value: 'static', origin: 'SURMISE_EMBEDDER_PROVIDER' });
  const empty = { ...other, SURMISE_EMBEDDER_PROVIDER: '' };
  expect(await settingOf('embedder.provider', empty)).toEqual({ value: 'none', origin: 'CHATCLI_EMBED_PROVIDER' });
});

test('code and data files are read alike; the nearest one upwards counts, none beyond a repository', async () => {
  const deep = join(folder, 'a', 'b');
  await mkdir(deep, { recursive: true });
  const k = async () => {
    const { stdout } = await surmise(['config', '--json'], { home, cwd: deep });
    return JSON.parse(stdout).settings['search.k'].value;
  };
  await withConfig(
    'export default { search: { k: 7 as number } };\n',
    async () => expect(await k()).toBe(7),
    join(folder, 'surmise.config.ts'),
  );
  await withConfig('[search]\nk = 6\n', async () => expect(await k()).toBe(6), join(folder, 'surmise.config.toml'));
  await withConfig({ search: { k: 5 } }, async () => {
    expect(await k()).toBe(5);
    await mkdir(join(folder, 'a', '.git'));
    expect(await k()).toBe(10);
  });
});

test('a key is never shown, not even where it can not be understood', async () => {
  const secret = 'sk-test-5f1c0a9be7d24613';
  for (const args of [
    ['config'],
    ['config', '--json'],
    ['search', 'canoe', '--index', index, '--embedder', 'openai'],
  ]) {
    const { stdout, stderr } = await run(args, {
      SURMISE_EMBEDDER_API_KEY: secret,
      SURMISE_EMBEDDER_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(stdout + stderr).not.toContain(secret);
  }
  expect(await settingOf('embedder.apiKey', { SURMISE_EMBEDDER_API_KEY: secret })).toEqual({
    value: '***',
    origin: 'SURMISE_EMBEDDER_API_KEY',
  });
  const address = `http://127.0.0.1:9/v1?key=${secret}`;
  expect(await settingOf('embedder.baseUrl', { SURMISE_EMBEDDER_BASE_URL: address })).toMatchObject({
    value: 'http://127.0.0.1:9/v1?***',
  });
  const { code, stderr } = await withConfig({ embedder: { apiKey: { key: secret } } }, () => run(['config']));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('embedder.apiKey') });
  expect(stderr).not.toContain(secret);
});

test('a number out of range becomes the nearest inside, and a warning names both', async () => {
  const { code, stderr, stdout } = await run(['search', 'canoe', '--index', index, '--json'], {
    SURMISE_SEARCH_MIN_SCORE: '-3',
    SURMISE_SEARCH_K: '99999',
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).hits.length).toBeGreaterThan(1);
  expect(stderr).toContain(
    'search.k, from SURMISE_SEARCH_K, is 99999; it must be a whole number from 1 to 1000, so 1000 is used.',
  );
  expect(stderr).toContain(
    'search.minScore, from SURMISE_SEARCH_MIN_SCORE, is -3; it must be a number from 0 to 1, so 0 is used.',
  );
});

test('the settings of a collection come before what is configured', async () => {
  const target = join(home, 'collection.db');
  const docs = join(home, 'docs');
  const added = ({ stdout }: Outcome) => JSON.parse(stdout).added as number;
  await withConfig({ indexing: { exclude: ['canoe.md', 'kayak.md'] } }, async () => {
    const own = ['index', docs, '--collection', 'c', '--exclude', 'long.md', '--index', target, '--json'];
    expect(added(await run(own))).toBe(2);
    // What is configured was not written into the collection: without the file it is gone.
    expect(added(await run(['index', docs, '--index', join(home, 'other.db'), '--json']))).toBe(1);
  });
});

describe('what can not be meant is refused, with what could', () => {
  test.each([
    ['a misspelt setting', { search: { minscore: 0.5 } }, 2, 'Did you mean "search.minScore"?'],
    ['a setting that is none', { colour: 'blue' }, 2, 'There are: index, cache, embedder, generator, search, '],
    ['a group that is misspelt', { serach: { k: 3 } }, 2, 'Did you mean "search"?'],
    [
      'a word where a number belongs',
      { search: { k: 'many' } },
      2,
      'must be a whole number from 1 to 1000, not "many"',
    ],
    ['a broken number', { search: { k: 2.5 } }, 2, 'must be a whole number from 1 to 1000, not 2.5'],
    ['a value of no choice', { search: { hyde: 'maybe' } }, 2, 'must be auto, on, off, not "maybe"'],
    ['a value where a group belongs', { search: 5 }, 2, '"search" must be an object'],
    ['a file that is no JSON', '{"search": ', 9, 'can not be read'],
    ['a list as the whole file', '[1]', 9, 'it is no object'],
  ])('%s', async (_, content, exit, words) => {
    const { code, stderr } = await withConfig(content, () => run(['search', 'canoe', '--index', index]));
    expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(words) });
    expect(stderr).toContain(configPath);
  });

  test('a misspelt variable is warned of; others are left alone', async () => {
    const { code, stderr } = await run(['status', '--index', index], { SURMISE_SERCH_K: '3', SURMISE_DATA: '/data' });
    expect(code).toBe(0);
    expect(stderr).toBe('The variable SURMISE_SERCH_K is no setting. Did you mean SURMISE_SEARCH_K?\n');
  });
});

test('an address holds no password, and none that is given is shown', async () => {
  const baseUrl = 'http://me:hunter2@127.0.0.1:9/v1';
  for (const args of [['config'], ['config', '--json'], ['search', 'canoe', '--index', index]]) {
    const { code, stdout, stderr } = await run(args, { SURMISE_EMBEDDER_BASE_URL: baseUrl });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('without user and password');
    expect(stdout + stderr).not.toContain('hunter2');
  }
  const { stderr } = await run(['config'], { SURMISE_EMBEDDER_BASE_URL: 'localhost:8080/v1' });
  expect(stderr).toContain('such as http://127.0.0.1:8080/v1');
});

test('a folder with the name of a configuration is told', async () => {
  await mkdir(configPath);
  expect(await run(['config'])).toMatchObject({ code: 9, stderr: expect.stringContaining('it is no file') });
  await rm(configPath, { recursive: true });
});

describe('init', () => {
  test('writes what config then shows, and leaves a file alone that is there', async () => {
    const { code, stdout } = await run(['init', '--yes', '--index', 'mine.db', '--hyde', 'off']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(configPath) });
    expect(await settingOf('index')).toEqual({ value: join(folder, 'mine.db'), origin: configPath });
    expect(await settingOf('search.hyde')).toEqual({ value: 'off', origin: configPath });
    const again = await run(['init', '--yes', '--hyde', 'on']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(configPath) });
    expect(await settingOf('search.hyde')).toMatchObject({ value: 'off' });
    await rm(configPath);
  });

  test('writes nothing that no command could read', async () => {
    for (const args of [
      ['--index', ''],
      ['--index', '.'],
      ['--embedder', ' '],
    ])
      expect(await run(['init', '--yes', ...args])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(['init', '--user', '--json', '--embedder', './table.bin'])).toMatchObject({ code: 0 });
    const { value, origin } = await settingOf('embedder.provider');
    expect(value).toBe(join(folder, 'table.bin'));
    await rm(origin);
  });

  test('--user writes the file of the user', async () => {
    const { stdout } = await run(['init', '--user', '--json', '--embedder', 'none']);
    const { path } = JSON.parse(stdout);
    expect(path).toBe(join(home, 'config', 'surmise', 'surmise.config.json'));
    expect(await settingOf('embedder.provider')).toEqual({ value: 'none', origin: path });
    await rm(path);
  });
});
