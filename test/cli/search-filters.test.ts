import { beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { recordOf } from '../contract/store-fixtures.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

let home: string;
const note = (front: string, words: string) => `---\n${front}\n---\n\n${words}\n`;

beforeAll(async () => {
  home = await makeWorkspace({
    'notes/sea.md': note('tags: [travel, sea]\nyear: 2024\ndate: 2024-05-01', 'The kettle boils on the ship.'),
    'notes/home.md': note('tags: home\nyear: 2023', 'The kettle boils in the kitchen.'),
    "notes/it's ; DROP TABLE documents.md": 'The kettle is on the table.\n',
  });
  expect((await surmise(['index', `${home}/notes`, '--embedder', 'none'], { home })).code).toBe(0);
});

const search = (...args: string[]) => surmise(['search', 'kettle', ...args], { home });
const found = async (where: string) => {
  const { code, stdout, stderr } = await search('--json', '--where', where);
  expect([code, stderr]).toEqual([0, '']);
  const { hits } = JSON.parse(stdout) as { hits: { path: string }[] };
  return hits.map(({ path }) => path.slice(`${home}/notes/`.length)).sort();
};

test('only documents that fulfil the filter', async () => {
  expect(await found('tags = travel and year >= 2024')).toEqual(['sea.md']);
  expect(await found('tag in (home, sea) and date < 2025')).toEqual(['sea.md']);
  expect(await found(`path starts ${home}/notes/h or not exists tags`)).toEqual([
    'home.md',
    "it's ; DROP TABLE documents.md",
  ]);
  expect(await found('path contains "it\'s ; DROP TABLE"')).toEqual(["it's ; DROP TABLE documents.md"]);
});

test('the filter is shown, and an answer without hits says that it was the filter', async () => {
  expect((await search('--where', 'year=2023', '--explain')).stdout).toContain(
    'filter: year = 2023: 1 documents, 1 chunks pass',
  );
  const none = await search('--where', 'year = 1900');
  expect([none.code, none.stdout]).toEqual([0, 'None of 3 documents passes the filter: year = 1900\n']);
  const json = JSON.parse((await search('--where', 'year = 1900', '--json')).stdout);
  expect(json).toMatchObject({
    hits: [],
    reason: 'nothing passes the filter',
    trace: { filter: { where: { field: 'year', is: '=', value: 1900 }, documents: 0, chunks: 0 } },
  });
});

test('a filter with a mistake is a usage error that says where', async () => {
  const { code, stdout, stderr } = await search('--where', 'year >');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('The filter is wrong at character 7: expected a value');
});

test('collections, one or more, and a filter beside them; one that is not there is a usage error', async () => {
  const index = `${home}/collections.db`;
  const store = openSqliteStore({ path: index });
  const records = ['notes', 'docs', 'mail'].map((collection, at) => {
    const record = recordOf(collection, `kettle ${at}`);
    return { ...record, document: { ...record.document, collection, metadata: { at } } };
  });
  await store.put(records);
  await store.close();
  const documents = async (...args: string[]) => {
    const { stdout } = await search('--index', index, '--json', ...args);
    return (JSON.parse(stdout) as { hits: { document: string }[] }).hits.map(({ document }) => document).sort();
  };
  expect(await documents('--collection', 'notes')).toEqual(['notes']);
  expect(await documents('--collection', 'notes', '--collection', 'mail')).toEqual(['mail', 'notes']);
  expect(await documents('--collection', 'notes', '--collection', 'mail', '--where', 'at > 1')).toEqual(['mail']);
  const { code, stderr } = await search('--index', index, '--collection', 'note');
  expect([code, stderr]).toEqual([2, expect.stringContaining('no collection "note". It has: docs, mail, notes.')]);
});
