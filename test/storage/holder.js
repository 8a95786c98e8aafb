// A process that holds an index for writing until its input ends: node holder.js FILE [read]
// It says `held`. With `read` it holds a moment of it for reading instead.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import Database from 'better-sqlite3';

const [path, how] = process.argv.slice(2);
const database = new Database(path);
database.exec(how === 'read' ? 'BEGIN; SELECT count(*) FROM documents' : 'BEGIN IMMEDIATE');
if (how === 'read') database.prepare('SELECT count(*) FROM documents').get();
writeSync(1, 'held\n');
process.stdin.resume();
await once(process.stdin, 'end');
database.exec('COMMIT');
database.close();
