import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { errorCodes } from '../core/errors.js';
import { withBudgetOptions } from './budget-options.js';
import { choice, collect, embedderOption, fraction, generatorOption, list, whole } from './option-values.js';
import { withSearchOptions } from './search-options.js';

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

  withBudgetOptions(withIndex('index', 'Add files and folders to the index, or bring them up to date.'))
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

  withSearchOptions(withIndex('search', 'Search the index with a question.'))
    .argument('<question...>', 'the question; quotes are not needed')
    .option('--explain', 'show how each score came about, and what happened')
    .action(async (words: string[], options) =>
      (await import('./search-command.js')).searchCommand(words, options, signal),
    );

  withSearchOptions(
    withIndex('why', 'Say where a document stands in a search, and why, also when it is not among the hits.'),
  )
    .argument('<question>', 'the question, in quotes where it has several words')
    .argument('<document>', 'a file, or the id of a document or chunk')
    .action(async (question: string, document: string, options) =>
      (await import('./why-command.js')).whyCommand(question, document, options, signal),
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

  withBudgetOptions(
    withIndex('reembed', 'Make the vectors of the index anew with another embedder, from the texts that it holds.'),
  )
    .addOption(embedderOption())
    .addHelpText(
      'after',
      '\nUntil all are there the old ones answer. What was cut off, in whatever way, is gone on with by the same command;\nwith the embedder of the index it is given up.',
    )
    .action(async (options) => (await import('./reembed-command.js')).reembedCommand(options, signal));

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

  withIndex('status', 'Show what the index holds, what can be searched, and where texts go. Asks nobody.')
    .addOption(embedderOption())
    .addOption(generatorOption())
    .action(async (options) => (await import('./status-command.js')).statusCommand(options));
  withIndex('doctor', 'Try what is configured: one text for each model, long texts to their end; say what to do.')
    .addOption(embedderOption())
    .addOption(generatorOption())
    .addHelpText(
      'after',
      '\nWhat is configured gets some 12,000 tokens of text of our own, none of yours. Servers of Ollama, LM Studio and\nllama.cpp on this machine are looked for and offered, not used.',
    )
    .action(async (options) => (await import('./doctor-command.js')).doctorCommand(options, signal));
  return program;
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
