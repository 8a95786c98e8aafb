import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliPath, surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

let home: string;
const run = (...args: string[]) => surmise(args, { home });

beforeAll(async () => {
  home = await makeWorkspace({
    'docs/a.md': 'apples\n',
    'junk.db': 'this is no database, only text that is long enough',
  });
  await run('index', 'docs', '--index', 'i.db');
}, 60_000);

describe('bad input gets a sentence and its exit code', () => {
  test.each([
    ['an empty question', ['search', '', '--index', 'i.db'], 2, 'The question is empty'],
    ['a question of spaces', ['search', '   ', '--index', 'i.db'], 2, 'The question is empty'],
    ['no searchable token', ['search', '?!…', '--index', 'i.db'], 2, 'no letter, digit or symbol'],
    ['no question', ['search', '--index', 'i.db'], 2, 'question'],
    ['k of 0', ['search', 'a', '-k', '0', '--index', 'i.db'], 2, 'from 1 to 1000'],
    ['negative k', ['search', 'a', '-k', '-3', '--index', 'i.db'], 2, 'from 1 to 1000'],
    ['k that is no number', ['search', 'a', '-k', 'ten', '--index', 'i.db'], 2, 'from 1 to 1000'],
    ['an unknown option', ['search', 'a', '--frobnicate'], 2, '--frobnicate'],
    ['an unknown command', ['serach'], 2, 'Did you mean search?'],
    ['an unknown value', ['search', 'a', '--hyde', 'maybe', '--index', 'i.db'], 2, 'auto, on, off'],
    ['no command', [], 2, 'Usage:'],
    ['an empty path', ['index', '', '--index', 'x.db'], 2, 'empty'],
    ['no path to index', ['index'], 2, 'files and folders'],
    [
      'an unknown kind of files',
      ['index', 'docs', '--only', 'md,xyz', '--index', 'x.db'],
      2,
      '.xyz files are not read',
    ],
    ['no kind of files', ['index', 'docs', '--only', ',', '--index', 'x.db'], 2, 'separated by commas'],
    ['no index yet', ['search', 'a', '--index', 'none.db'], 3, 'surmise index FOLDER'],
    ['no index for status', ['status', '--index', 'none.db'], 3, 'surmise index FOLDER'],
    ['a file that is no index', ['search', 'a', '--index', 'junk.db'], 5, 'junk.db'],
    ['a missing embedder table', ['index', 'docs', '--index', 'x.db', '--embedder', 'nope.bin'], 8, 'table'],
    ['an index without a home', ['index', 'docs', '--index', 'junk.db/x/i.db'], 12, 'junk.db'],
    ['a collection that is none', ['eval', 'docs'], 8, 'corpus.jsonl'],
  ])('%s', async (_, args, exit, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\bat .*\.js:\d+/);
  });

  test('an index by a newer version is left alone', async () => {
    const path = join(home, 'newer.db');
    await run('index', 'docs', '--index', path);
    const database = new Database(path);
    database.pragma('user_version = 999');
    database.close();
    for (const args of [['search', 'apples'], ['index', 'docs'], ['status']]) {
      const { code, stderr } = await run(...args, '--index', path);
      expect(code).toBe(4);
      expect(stderr).toContain('newer version');
    }
  });

  test('an index with no document in it says how to fill it', async () => {
    await mkdir(join(home, 'void'));
    const { code, stdout } = await run('index', 'void', '--index', 'empty.db');
    expect(code).toBe(0);
    expect(stdout).toContain('No documents were found');
    const search = await run('search', 'a', '--index', 'empty.db');
    expect(search).toMatchObject({ code: 3, stderr: expect.stringContaining('surmise index FOLDER') });
  });

  test('--json gives the error as one object on stdout', async () => {
    const { code, stdout, stderr } = await run('search', 'a', '--index', 'none.db', '--json');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'no_index', message: expect.stringContaining('none.db') },
    });
  });

  test('an unknown option with --json is an object too', async () => {
    const { code, stdout } = await run('search', 'a', '--frobnicate', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'bad_argument', message: expect.stringContaining('--frobnicate') },
    });
  });

  test('help goes to stdout with code 0 and lists the exit codes', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Exit codes');
    for (const command of ['index', 'search', 'eval', 'status']) {
      const help = await run(command, '--help');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain('--json');
    }
  });
});

test('whoever listens to no messages changes nothing', async () => {
  const child = spawn(process.execPath, [cliPath, 'search', 'a', '-k', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.destroy();
  expect(await once(child, 'close')).toEqual([2, null]);
});
