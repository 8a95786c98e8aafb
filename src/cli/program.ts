import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { errorCodes } from '../core/errors.js';
import { settings } from './settings.js';

const exitCodes = Object.entries(errorCodes)
  .map(([, { exit, meaning }]) => `  ${String(exit).padStart(3)}  ${meaning}`)
  .join('\n');

const indexHelp = `
Collections keep their paths and options in the index:
  surmise index --collection notes ~/notes --exclude 'drafts/**'
  surmise index --collection notes ~/more   adds a folder to it
  surmise index --collection notes          brings it up to date
  surmise index                             brings all of them up to date
Lines of standard input are {"id", "text"} and, where wanted, "title", "path", "language" and "metadata"; they add and
replace documents, the first of equal ids counts.
Globs stand in quotes so that the shell leaves them alone; one without a slash fits names at any depth.`;

const operatorHelp = `
In a question some marks are more than text:
  "some words"   these words must be there, one after another
  word*          all words that begin so
  -word          leaves out what holds the word; -"some words" and -word* as well
Put the question in quotes for that: surmise search '"tide table" harbo* -ferry'. All other marks are text.`;

const filterHelp = `
Filters compare id, path, title, language, collection and the fields of the documents' metadata:
  --where 'tags = travel and year >= 2024'
  --where 'path starts /home/me/notes/ and not (draft = true or exists archived)'
  --where 'date >= 2024-05 and author.name in ("Ada Bee", Cy)'
Operators: = != < <= > >= starts contains in exists and or not. A value with spaces stands in quotes.
Case counts. A list fulfils a condition when one of its elements does.`;

/**
 * The command line. Each command's code is loaded when it runs. `signal` aborts when the user interrupts; `quiet` leaves
 * it to the caller to report usage errors.
 */
export function createProgram(signal: AbortSignal, quiet: boolean): Command {
  const program = new Command('surmise')
    .description('Finds the passages that answer a question: words, meaning and hypotheses, on this machine.')
    .version(ownVersion(), '-V, --version')
    .exitOverride()
    .configureOutput(quiet ? { writeErr() {} } : {})
    .showHelpAfterError('(surmise --help shows all commands and options)')
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', async (_, command) => (await import('./apply-settings.js')).applySettings(command))
    .addHelpText('after', `\nExit codes:\n    0  Done.\n${exitCodes}\n\nDocumentation: README.md of the package.`);

  const command = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object on stdout')
      .option('--debug', 'show the stack of an error');
  const withIndex = (name: string, description: string) =>
    command(name, description).option(
      '--index <file>',
      "the index file (default: the nearest .surmise/index.db upwards, else one in the user's data folder)",
    );

  withIndex('index', 'Add files and folders to the index, or bring them up to date.')
    .argument(
      '[path...]',
      'files, folders and globs, or - for standard input (one JSON document on a line); without any, all collections',
    )
    .addOption(embedderOption())
    .option('--collection <name>', 'put them into a collection, which keeps its paths and the options below')
    .option('--include <glob>', 'only files that fit; may be given more than once', collect)
    .option('--exclude <glob>', 'no files or folders that fit; may be given more than once', collect)
    .option('--only <extensions>', 'read only these kinds of files, such as md,pdf; others leave the index', list)
    .option('--max-bytes <n>', 'skip files larger than this (default: 10000000)', whole(1, 1_000_000_000))
    .option('--max-files <n>', 'more files than this are a mistake (default: 200000)', whole(1, 100_000_000))
    .option('--follow-links', 'follow symbolic links inside the folders')
    .option('--dry-run', 'say what would be done, and touch nothing')
    .option('--prune', 'remove documents even when most files of a source are gone')
    .option('--watch', 'go on, and index again whenever files change')
    .addHelpText('after', indexHelp)
    .action(async (paths: string[], options) =>
      (await import('./index-command.js')).indexCommand(paths, options, signal),
    );

  withIndex('search', 'Search the index with a question.')
    .argument('<question...>', 'the question; quotes are not needed')
    .option('-k, --k <n>', 'how many hits at most', whole(1, 1_000), settings['search.k'].standard)
    .addOption(
      choice('--hyde <when>', 'search with hypotheses too', ['auto', 'on', 'off']).default(
        settings['search.hyde'].standard,
      ),
    )
    .addOption(
      choice('--mode <mode>', 'which legs run (default: hybrid where the index has vectors)', [
        'lexical',
        'dense',
        'hybrid',
      ]),
    )
    .addOption(
      choice('--per <unit>', 'one hit for each', ['document', 'chunk']).default(settings['search.per'].standard),
    )
    .option('--min-score <score>', 'leave out hits with a lower score, 0 to 1', fraction)
    .option('--no-feedback', 'do not search with the best passages of the first list')
    .addOption(
      choice('--fusion <method>', 'how the legs become one list', ['linear', 'rrf']).default(
        settings['search.fusion'].standard,
      ),
    )
    .option(
      '--dense-weight <share>',
      'share of the dense leg in a hybrid list, 0 to 1',
      fraction,
      settings['search.denseWeight'].standard,
    )
    .option('--rerank <name>', 'a cross-encoder that reads the best 50 hits: local:FOLDER, or local:NAME in the cache')
    .option('--mmr', 'let hits that are like better ones make way for others')
    .option('--trim', 'show of each hit the sentences that are near to the question')
    .option('--where <filter>', 'search only documents that fulfil it, see below')
    .option('--collection <name>', 'search only this collection; may be given more than once', collect)
    .addOption(
      new Option(
        '--generator <name>',
        'what writes hypotheses: a provider with its model, such as ollama:llama3.2, or none',
      ),
    )
    .option('--n <count>', 'how many hypotheses are written', whole(1, 32), settings['search.n'].standard)
    .option(
      '--deadline <ms>',
      'how long the search may wait for models',
      whole(1, 600_000),
      settings['search.deadlineMs'].standard,
    )
    .option('--explain', 'show what each leg gave each hit, and what happened')
    .addOption(embedderOption())
    .addHelpText('after', operatorHelp)
    .addHelpText('after', filterHelp)
    .action(async (words: string[], options) =>
      (await import('./search-command.js')).searchCommand(words, options, signal),
    );

  withIndex('remove', 'Take documents, folders or a collection out of the index.')
    .argument('[path...]', 'files, folders or ids')
    .option('--collection <name>', 'this collection with its settings')
    .option('--purge', 'leave no byte of them in the file; takes as long as compact')
    .action(async (paths: string[], options) => (await import('./remove-command.js')).removeCommand(paths, options));

  command('eval', 'Measure search on a collection in BEIR form (corpus.jsonl, queries.jsonl, qrels/*.tsv).')
    .argument('<folder>', 'the folder of the collection')
    .option(
      '--arms <list>',
      'what to compare: lexical, dense or hybrid, each followed by +feedback and +hyde as wanted',
    )
    .option('--hypotheses <file>', 'JSONL of {"_id", "hypotheses": []}; only queries that have some are judged')
    .option(
      '--split <name>',
      'judgements from qrels/<name>.tsv, queries from queries.<name>.jsonl where it is there',
      'test',
    )
    .addOption(embedderOption('static'))
    .option('--no-cache', 'index the collection in memory only')
    .option('--baseline <arm>', 'compare every other arm with this one (default: each with the one that it builds on)')
    .addOption(
      new Option('--margin <number>', 'how much worse in nDCG@10 still counts as not worse')
        .argParser(fraction)
        .default(0.01),
    )
    .action(async (folder: string, options) =>
      (await import('./eval-command.js')).evalCommand(folder, options, signal),
    );

  withIndex('check', 'Read the whole index and say whether it is sound.')
    .option('--repair', 'remove what is damaged and make anew what can be made; a file that is replaced is kept beside')
    .action(async (options) => (await import('./check-command.js')).checkCommand(options, signal));

  withIndex('compact', 'Make the index file as small as can be, without a byte of what was removed.').action(
    async (options) => (await import('./compact-command.js')).compactCommand(options),
  );

  command(
    'config',
    'Show what is configured: every setting, its value, where it comes from and what it changes.',
  ).action(async (options) => (await import('./config-command.js')).configCommand(options));

  command('init', 'Write a configuration file, surmise.config.json, after a few questions.')
    .option('--index <file>', 'the index file')
    .option('--embedder <name>', 'what makes vectors')
    .addOption(choice('--hyde <when>', 'search with hypotheses too', ['auto', 'on', 'off']))
    .option('--user', 'for all of your searches instead of those in this folder')
    .option('-y, --yes', 'ask nothing')
    .action(async (options) => (await import('./init-command.js')).initCommand(options));

  withIndex('status', 'Show what the index holds.').action(async (options) =>
    (await import('./status-command.js')).statusCommand(options),
  );
  return program;
}

function embedderOption(standard?: string): Option {
  const option = new Option(
    '--embedder <name>',
    'static (built in, English), none, local:FOLDER, a provider such as voyage or ollama:MODEL, or the path of a table',
  );
  return standard === undefined ? option : option.default(standard);
}

function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

function whole(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < low || value > high)
      throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
    return value;
  };
}

function list(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().replace(/^\./, '').toLowerCase());
  if (names.some((name) => !/^\w+$/.test(name)))
    throw new InvalidArgumentError('It must be extensions separated by commas, such as md,pdf.');
  return names;
}

function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
