// A process that fills or compacts an index and says as JSON what came of it: node filler.js FILE put|compact
import { openSqliteStore } from '../../dist/storage/index.js';

const [path, job] = process.argv.slice(2);
const said = {};
const store = openSqliteStore({ path });
try {
  if (job === 'compact') await store.compact();
  else
    for (let at = 0; at < 60; at++) {
      const words = Array.from({ length: 8_000 }, (_, word) => ((at * 8_000 + word) * 2_654_435_761).toString(36));
      const text = `boat ${words.join(' ')}`;
      await store.put([
        { document: { id: `d${at}`, text, language: 'en' }, hash: 'h', chunks: [{ start: 0, end: 4 }] },
      ]);
    }
} catch (error) {
  Object.assign(said, { name: error.name, code: error.code, message: error.message });
}
const { matched } = await store.match([{ term: 'boat', weight: 1 }], { k: 1 });
Object.assign(said, { documents: (await store.info()).documents, found: matched });
await store.close();
console.log(JSON.stringify(said));
