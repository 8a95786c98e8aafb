import type { Command } from 'commander';
import { choice, collect, embedderOption, fraction, generatorOption, whole } from './option-values.js';
import { settings } from './settings.js';

const operatorHelp = `
In a question some marks are more than text:
  "some words"   these words must be there, one after another
  word*          all words that begin so
  -word          leaves out what holds the word; -"some words" and -word* as well
Put the question in quotes for that: surmise search '"tide table" harbo* -ferry'. All other marks are text.
One that begins with a minus stands behind --: surmise search -- '-ferry harbour'`;

const filterHelp = `
Filters compare id, path, title, language, collection and the fields of the documents' metadata:
  --where 'tags = travel and year >= 2024'
  --where 'path starts /home/me/notes/ and not (draft = true or exists archived)'
  --where 'date >= 2024-05 and author.name in ("Ada Bee", Cy)'
Operators: = != < <= > >= starts contains in exists and or not. A value with spaces stands in quotes.
Case counts. A list fulfils a condition when one of its elements does.`;

/** The options of every command that searches. */
export function withSearchOptions(command: Command): Command {
  return command
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
    .option('--dense-weight <share>', 'share of the dense leg in a hybrid list, 0 to 1', fraction)
    .option('--rerank <name>', 'a cross-encoder that reads the best 50 hits: local:FOLDER, or local:NAME in the cache')
    .option('--mmr', 'let hits that are like better ones make way for others')
    .option('--trim', 'show of each hit the sentences that are near to the question')
    .option('--where <filter>', 'search only documents that fulfil it, see below')
    .option('--collection <name>', 'search only this collection; may be given more than once', collect)
    .addOption(generatorOption())
    .option('--no-cache', 'ask models again, and keep nothing of what they make beside the index')
    .option('--n <count>', 'how many hypotheses are written', whole(1, 32))
    .option(
      '--deadline <ms>',
      'how long the search may wait for models',
      whole(1, 600_000),
      settings['search.deadlineMs'].standard,
    )
    .addOption(embedderOption())
    .addHelpText('after', operatorHelp)
    .addHelpText('after', filterHelp);
}
