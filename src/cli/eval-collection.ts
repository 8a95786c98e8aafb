import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { SurmiseError } from '../core/index.js';
import { type Qrels, type Query, readHypotheses, readQrels, readQueries } from '../evaluate/index.js';

/** A collection in BEIR form on disk, without its documents, which are read when they are needed. */
export interface EvalCollection {
  readonly name: string;
  readonly corpus: string;
  readonly queries: readonly Query[];
  readonly qrels: Qrels;
  /** Hypotheses by query; only queries that have some are then in `queries`. */
  readonly hypotheses?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads judgements, the judged queries and, where a file is named, hypotheses.
 *
 * @throws SurmiseError `unreadable`, `bad_data`
 */
export async function readEvalCollection(
  folder: string,
  split: string,
  hypothesesFile?: string,
): Promise<EvalCollection> {
  const at = resolve(folder);
  const corpus = await existing(at, 'corpus.jsonl');
  const qrelsFile = await existing(at, join('qrels', `${split}.tsv`));
  const own = join(at, `queries.${split}.jsonl`);
  const queriesFile = existsSync(own) ? own : await existing(at, 'queries.jsonl');
  const qrels = await readQrels(fileLines(qrelsFile), qrelsFile);
  if (qrels.size === 0) throw new SurmiseError('bad_data', `${qrelsFile} has no judgement in it.`);
  const hypotheses =
    hypothesesFile === undefined ? undefined : await readHypotheses(fileLines(resolve(hypothesesFile)), hypothesesFile);
  const known = new Map((await readQueries(fileLines(queriesFile), queriesFile)).map((query) => [query.id, query]));
  const missing = [...qrels.keys()].filter((id) => !known.has(id));
  if (missing.length > 0)
    throw new SurmiseError(
      'bad_data',
      `${qrelsFile} judges ${missing.length} queries that are not in ${queriesFile}, for example '${missing[0]}'.`,
    );
  const queries = [...qrels.keys()]
    .filter((id) => hypotheses === undefined || (hypotheses.get(id)?.length ?? 0) > 0)
    .map((id) => known.get(id)!);
  if (queries.length === 0)
    throw new SurmiseError('bad_data', `No judged query of ${at} has hypotheses in ${hypothesesFile}.`);
  return { name: basename(at), corpus, queries, qrels, ...(hypotheses && { hypotheses }) };
}

/** The lines of a file. An error of reading, also one in the middle, ends the loop over them. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, 'utf8');
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new SurmiseError('unreadable', `${path} can not be read.`, { cause: error });
  } finally {
    stream.destroy();
  }
}

async function existing(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const splits = await readdir(join(folder, 'qrels')).catch(() => []);
  const hint = name.startsWith('qrels') && splits.length > 0 ? ` There is: ${splits.join(', ')}.` : '';
  throw new SurmiseError(
    'unreadable',
    `${path} is not there. A collection has corpus.jsonl, queries.jsonl and qrels/*.tsv.${hint}`,
  );
}
