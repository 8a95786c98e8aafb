/** Each gives a function from the words of a question, any of which may match, to the numbers of its k best passages. */
import { createRequire } from 'node:module';

const root = createRequire(new URL('../../package.json', import.meta.url));

function fts5(passages) {
  const Database = root('better-sqlite3');
  const database = new Database(':memory:');
  database.exec("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize = 'porter unicode61')");
  const add = database.prepare('INSERT INTO passages (rowid, text) VALUES (?, ?)');
  database.transaction(() => {
    passages.forEach((text, at) => {
      add.run(at, text);
    });
  })();
  const find = database.prepare('SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?').pluck();
  return (words, k) => find.all(words.map((word) => `"${word}"`).join(' OR '), k);
}

async function minisearch(passages) {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(passages.map((text, id) => ({ id, text })));
  return (words, k) =>
    index
      .search(words.join(' '))
      .slice(0, k)
      .map(({ id }) => id);
}

export const textPeers = { fts5, minisearch };
