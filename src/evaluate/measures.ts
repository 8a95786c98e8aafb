import { SurmiseError } from '../core/errors.js';

/**
 * A measure of one query. Its name is its identity, written as in ir_measures: `nDCG@10`, `AP(rel=2)`,
 * `nDCG(dcg='exp-log2')@10`.
 */
export interface Measure {
  readonly name: string;
  /** What is computed, in a sentence, with its gain function or the grade that counts as relevant. */
  readonly description: string;
  /**
   * The value, in 0..1, never NaN: 0 for a query without a relevant document, as trec_eval has it.
   * `grades`: the grade of each retrieved document in rank order, 0 for one without a judgement.
   * `judged`: the grades of all judged documents of the query, in any order.
   */
  readonly of: (grades: readonly number[], judged: readonly number[]) => number;
}

type Gain = (grade: number) => number;

const gains: Record<string, Gain> = {
  log2: (grade) => Math.max(grade, 0),
  'exp-log2': (grade) => 2 ** Math.max(grade, 0) - 1,
};

function discounted(grades: readonly number[], k: number, gain: Gain): number {
  let sum = 0;
  for (let i = 0; i < grades.length && i < k; i++) sum += gain(grades[i]!) / Math.log2(i + 2);
  return sum;
}

/**
 * Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002; discount log2(rank + 1)). The ideal is the best
 * order of all judged documents, retrieved or not; negative grades gain 0.
 */
function ndcg(grades: readonly number[], judged: readonly number[], k: number, gain: Gain): number {
  const ideal = discounted(
    [...judged].sort((a, b) => b - a),
    k,
    gain,
  );
  return ideal > 0 ? discounted(grades, k, gain) / ideal : 0;
}

function countRelevant(grades: readonly number[], k: number, rel: number): number {
  let count = 0;
  for (let i = 0; i < grades.length && i < k; i++) if (grades[i]! >= rel) count++;
  return count;
}

/** Share of all relevant documents that are in the first k. */
function recall(grades: readonly number[], judged: readonly number[], k: number, rel: number): number {
  const relevant = countRelevant(judged, Infinity, rel);
  return relevant > 0 ? countRelevant(grades, k, rel) / relevant : 0;
}

/** 1 / rank of the first relevant document in the first k. */
function reciprocalRank(grades: readonly number[], k: number, rel: number): number {
  const first = grades.findIndex((grade) => grade >= rel);
  return first >= 0 && first < k ? 1 / (first + 1) : 0;
}

/** Mean of the precision at each relevant document, those not in the first k counting 0 (trec_eval `map`). */
function averagePrecision(grades: readonly number[], judged: readonly number[], k: number, rel: number): number {
  const relevant = countRelevant(judged, Infinity, rel);
  let found = 0;
  let sum = 0;
  for (let i = 0; i < grades.length && i < k; i++) if (grades[i]! >= rel) sum += ++found / (i + 1);
  return relevant > 0 ? sum / relevant : 0;
}

interface Family {
  readonly cutoff: 'required' | 'optional';
  readonly parameter: 'rel' | 'dcg';
  readonly make: (k: number, rel: number, gain: Gain) => Measure['of'];
  readonly description: string;
}

const families: Record<string, Family> = {
  nDCG: {
    cutoff: 'optional',
    parameter: 'dcg',
    make: (k, _rel, gain) => (grades, judged) => ndcg(grades, judged, k, gain),
    description: 'Normalised discounted cumulative gain, ideal over all judged documents',
  },
  R: {
    cutoff: 'required',
    parameter: 'rel',
    make: (k, rel) => (grades, judged) => recall(grades, judged, k, rel),
    description: 'Recall: share of the relevant documents that are in the first k',
  },
  RR: {
    cutoff: 'optional',
    parameter: 'rel',
    make: (k, rel) => (grades) => reciprocalRank(grades, k, rel),
    description: 'Reciprocal rank of the first relevant document; its mean over queries is MRR',
  },
  AP: {
    cutoff: 'optional',
    parameter: 'rel',
    make: (k, rel) => (grades, judged) => averagePrecision(grades, judged, k, rel),
    description: 'Average precision over all relevant documents; its mean over queries is MAP',
  },
  P: {
    cutoff: 'required',
    parameter: 'rel',
    make: (k, rel) => (grades) => countRelevant(grades, k, rel) / k,
    description: 'Precision: relevant documents in the first k, divided by k',
  },
  Success: {
    cutoff: 'required',
    parameter: 'rel',
    make: (k, rel) => (grades) => Math.min(countRelevant(grades, k, rel), 1),
    description: '1 when a relevant document is in the first k, else 0',
  },
};

/** The names that `measure` knows, `@k` standing for a cut-off of 1 or more, for messages and help. */
export const measureNames: readonly string[] = [
  'nDCG@k',
  'R@k',
  'RR@k',
  'AP@k',
  'P@k',
  'Success@k',
  'nDCG',
  'RR',
  'AP',
];

/**
 * The measure of a name. Families: `nDCG`, `R`, `RR`, `AP`, `P`, `Success`; `@k` is the cut-off, needed by `R`, `P` and
 * `Success`. Relevant is a grade of 1 or more, of N or more with `(rel=N)`; the gain of nDCG is the grade itself
 * (linear, as in trec_eval), 2^grade − 1 with `(dcg='exp-log2')`.
 * Throws `bad_argument` for a name that is unknown.
 */
export function measure(name: string): Measure {
  const match = /^([A-Za-z]+)(?:\(([a-z]+)=(?:([1-9]\d{0,3})|'([a-z0-9-]+)')\))?(?:@([1-9]\d{0,6}))?$/.exec(
    name.trim(),
  );
  const [, base = '', parameter, rel = '1', dcg = 'log2', k] = match ?? [];
  const family = Object.hasOwn(families, base) ? families[base]! : undefined;
  const gain = Object.hasOwn(gains, dcg) ? gains[dcg]! : undefined;
  const known =
    parameter === undefined ||
    (parameter === family?.parameter && (parameter === 'rel') === (match?.[3] !== undefined));
  if (family === undefined || gain === undefined || !known || (k === undefined && family.cutoff === 'required')) {
    throw new SurmiseError(
      'bad_argument',
      `There is no measure '${name}'. Use ${measureNames.join(', ')}, with k a whole number from 1, as in nDCG@10; ` +
        `options: (rel=2) for all but nDCG, (dcg='exp-log2') for nDCG.`,
    );
  }
  const how =
    family.parameter === 'dcg' ? `gain ${dcg === 'log2' ? 'linear' : '2^grade − 1'}` : `relevant from grade ${rel}`;
  const cut = k === undefined ? '' : `, k = ${k}`;
  return {
    name: name.trim(),
    description: `${family.description} (${how}${cut})`,
    of: family.make(k === undefined ? Infinity : Number(k), Number(rel), gain),
  };
}
