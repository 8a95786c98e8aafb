/**
 * npm run demo                          indexes the documents that came with the installed packages, asks three questions
 * npm run demo -- FOLDER "question"     indexes a folder of yours and asks your own questions
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [folder, ...questions] = process.argv.slice(2);

if (folder !== undefined && (folder.startsWith('-') || !existsSync(folder))) {
  console.error(`There is no folder ${folder}. Usage: npm run demo -- FOLDER "question" ["question" …]`);
  process.exit(2);
}
const own = folder !== undefined;
const documents = own ? folder : fileURLToPath(new URL('../node_modules', import.meta.url));
const index = fileURLToPath(new URL(`../node_modules/.cache/surmise/${own ? 'own' : 'demo'}.db`, import.meta.url));
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

surmise('index', documents);
for (const question of asked) surmise('search', '-k', '3', '--explain', question);
surmise('status');
