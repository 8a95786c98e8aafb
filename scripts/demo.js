/**
 * npm run demo                          indexes the documents that came with the installed packages, asks three questions
 * npm run demo -- FOLDER "question"     indexes a folder of yours and asks your own questions
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [given, ...questions] = process.argv.slice(2);
// npm runs scripts in the folder of the package and says here where it was called.
const folder = given === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), given);

if (folder !== undefined && (given?.startsWith('-') || !existsSync(folder))) {
  console.error(`There is no folder ${given}. Usage: npm run demo -- FOLDER "question" ["question" …]`);
  process.exit(2);
}
const own = folder !== undefined;
const documents = own ? folder : fileURLToPath(new URL('../node_modules', import.meta.url));
// Each folder has its own: an index holds everything that was ever given to it.
const name = own ? createHash('sha256').update(folder).digest('hex').slice(0, 16) : 'demo';
const index = fileURLToPath(new URL(`../node_modules/.cache/surmise/${name}.db`, import.meta.url));
const asked =
  questions.length > 0
    ? questions
    : own
      ? ['What is this about?']
      : [
          'how do I cancel a running request?',
          'read a file line by line without loading it into memory',
          'which colours can I print in a terminal?',
        ];

/** @param {string[]} args */
function surmise(...args) {
  console.log(`\n$ surmise ${args.map((arg) => (/[^\w./:-]/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [cli, ...args, '--index', index], { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exit(status ?? 70);
}

// Packages are mostly code; the demo is about their documents.
surmise('index', documents, ...(own ? [] : ['--only', 'md,markdown,mdx,txt']));
for (const question of asked) surmise('search', '-k', '3', '--explain', question);
surmise('status');
