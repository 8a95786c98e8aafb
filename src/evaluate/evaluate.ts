import { SurmiseError } from '../core/errors.js';
import { type Measure, measure } from './measures.js';
import type { Qrels } from './qrels.js';
import { countTied, ranked, type TieRule } from './ranking.js';
import type { Run } from './run.js';

export interface EvaluateOptions {
  /** Only these queries; those without judgements are left out. Default: every judged query. */
  readonly queries?: Iterable<string>;
  /** Default `id`. */
  readonly ties?: TieRule;
}

export interface Evaluation {
  /** Measure → mean over the queries, each counting the same. */
  readonly mean: Readonly<Record<string, number>>;
  /** Query → measure → value, in the order of the judgements. */
  readonly perQuery: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** How many queries the mean is over. */
  readonly queries: number;
  /** Judged queries that the run does not answer; each counts 0. */
  readonly missing: readonly string[];
  /** Queries of the run without judgements; they do not count. */
  readonly unjudged: readonly string[];
  /** Documents whose place was settled by the tie rule, over all queries. */
  readonly tied: number;
}

/**
 * Measures a run against judgements, as `trec_eval -c` does: every judged query counts, a missing or empty answer as 0,
 * and a query without a relevant document as 0 too. Documents are ordered by score descending, then id ascending; this
 * differs from trec_eval (id descending), for which there is `ties: 'trec'`.
 * Throws `bad_argument` for an unknown measure; `bad_data` when a document is twice in one list, a score is NaN, or no
 * judged query is left, since a mean over nothing would say nothing.
 */
export function evaluateRun(
  qrels: Qrels,
  run: Run,
  measures: readonly string[],
  options: EvaluateOptions = {},
): Evaluation {
  const parsed = new Map(measures.map(measure).map((m): [string, Measure] => [m.name, m]));
  const only = options.queries === undefined ? undefined : new Set(options.queries);
  const perQuery = new Map<string, Record<string, number>>();
  const missing: string[] = [];
  let tied = 0;
  for (const [query, judgements] of qrels) {
    if (judgements.size === 0 || (only !== undefined && !only.has(query))) continue;
    const answer = run.get(query) ?? [];
    if (answer.length === 0) missing.push(query);
    tied += countTied(answer);
    const grades = ranked(query, answer, options.ties).map(({ id }) => judgements.get(id) ?? 0);
    const judged = [...judgements.values()];
    perQuery.set(query, Object.fromEntries([...parsed.values()].map((m) => [m.name, m.of(grades, judged)])));
  }
  if (perQuery.size === 0) {
    throw new SurmiseError(
      'bad_data',
      'None of the queries has judgements: check that the ids of queries and qrels agree.',
    );
  }
  const mean: Record<string, number> = {};
  for (const name of parsed.keys()) {
    let sum = 0;
    for (const values of perQuery.values()) sum += values[name]!;
    mean[name] = sum / perQuery.size;
  }
  const unjudged = [...run.keys()].filter((query) => !qrels.has(query));
  return { mean, perQuery, queries: perQuery.size, missing, unjudged, tied };
}
