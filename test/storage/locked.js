// A process that may not write to an index and says as JSON what searching and writing came to: node locked.js FILE
import { openSqliteStore } from '../../dist/storage/index.js';

const [path] = process.argv.slice(2);
const records = [{ document: { id: 'b', text: 'boat' }, hash: 'h', chunks: [{ start: 0, end: 4 }] }];
// All that is loaded when needed is loaded now: another user may not be able to read it.
const memory = openSqliteStore({ path: ':memory:' });
await memory.put(records);
await memory.close();
// Root may write everywhere.
if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65_534);
  process.setuid(65_534);
}
const said = {};
const reader = openSqliteStore({ path, access: 'read' });
said.found = (await reader.match([{ term: 'boat', weight: 1 }], { k: 9 })).hits.map(({ id }) => id);
await reader.close();
try {
  await openSqliteStore({ path }).put(records);
} catch ({ name, code }) {
  Object.assign(said, { name, code });
}
console.log(JSON.stringify(said));
