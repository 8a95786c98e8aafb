// A process that writes to an index until it is done or killed: node writer.js FILE NAME PUTS RECORDS [BALLAST]
// It says `ready`, waits for a line, opens the index, and says `begin N` and `end N` around each put.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../dist/storage/index.js';

const [path, name, puts, records, ballast = '0'] = process.argv.slice(2);
const metadata = { ballast: 'x'.repeat(Number(ballast)) };
const say = (line) => writeSync(1, `${line}\n`);

say('ready');
await once(process.stdin, 'data');
process.stdin.unref();
const store = openSqliteStore({ path });
for (let put = 0; put < Number(puts); put++) {
  const batch = Array.from({ length: Number(records) }, (_, index) => {
    const text = `boat ${name} of put ${put} ${'with many other words in its hold '.repeat(10)}`;
    const chunks = [{ start: 0, end: text.length, vector: Float32Array.of(put, index, 1) }];
    return { document: { id: `${name}-${put}-${index}`, text, metadata }, hash: `${put}`, chunks };
  });
  say(`begin ${put}`);
  await store.put(batch, {
    fingerprint: { provider: 'contract', model: 'm', dimensions: 3, normalised: false },
  });
  say(`end ${put}`);
}
await store.close();
