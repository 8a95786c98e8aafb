import { type Anchor, anchoredText, anchorWeight, countOf, meanOf } from './anchor.js';
import { reasonOf } from './errors.js';
import { type Expansion, type ExpansionOptions, expandTerms, repeatTerms } from './expansion.js';
import type { Hypothesis } from './hypothesis.js';
import type { RankQuery } from './rank.js';
import { embedRemembered } from './remembered-vectors.js';
import type { SearchRun } from './run.js';
import { averageEmbeddings, norm, normalize } from './vectors.js';

/** How much hypotheses add to the question. */
export interface EnrichOptions extends ExpansionOptions {
  readonly expansion: Expansion;
  readonly anchor: Anchor;
  /** Share of the question in a mix, 0 to 1. */
  readonly mix: number;
}

/** Of written or given passages more terms say something than of passages that are only near. */
const hypothesisTerms = 128;

/** Written or given passages. */
export function hypothesisWeights({ settings: { expansion, anchor, mix, beta } }: SearchRun): EnrichOptions {
  return { expansion, anchor, mix, beta, terms: hypothesisTerms };
}

/** Passages of the index: they are likely to be near, not certain to answer. Fitted on scifact train and nfcorpus dev. */
export const feedbackWeights: EnrichOptions = {
  expansion: 'rocchio',
  anchor: 'mix',
  mix: 1 / 1.4,
  beta: 0.25,
  terms: 20,
};

/** The question alone; the vector is on its way while the lexical leg runs. */
export function plainQuery(run: SearchRun): RankQuery {
  const vector = run.mode === 'lexical' ? Promise.resolve(undefined) : questionVector(run);
  return {
    terms: run.terms,
    vector,
    parts: async () => {
      const settled = await vector;
      return settled === undefined || norm(settled) === 0 ? [] : [{ of: 'question', vector: settled, factor: 1 }];
    },
  };
}

async function questionVector(run: SearchRun): Promise<Float32Array | undefined> {
  const { question, settings } = run;
  try {
    const [vector] = await embedRemembered(run, [question], 'query');
    return normalize(vector!);
  } catch (error) {
    // With no other leg left, or when the caller gave up, the failure is the answer.
    if (run.mode === 'dense' || settings.signal?.aborted) throw error;
    run.log.degraded.push({ part: 'dense', reason: reasonOf(error) });
    return undefined;
  }
}

/** The query joined by hypotheses: Rocchio-weighted terms, and a vector as `Anchor` says. */
export async function enrich(
  run: SearchRun,
  query: RankQuery,
  hypotheses: readonly Hypothesis[],
  weights: EnrichOptions,
): Promise<RankQuery> {
  const [texts, enriched] = await Promise.all([
    run.mode === 'dense' ? [] : run.store.analyze(hypotheses.map(({ text }) => text)),
    enrichVector(run, query, hypotheses, weights),
  ]);
  const counts = hypotheses.map(countOf);
  const terms =
    weights.expansion === 'query2doc'
      ? repeatTerms(query.terms, texts, counts)
      : expandTerms(query.terms, texts, run.info.chunks, { ...weights, weights: counts });
  return { terms, ...enriched };
}

type QueryVector = Pick<RankQuery, 'vector' | 'parts'>;

async function enrichVector(
  run: SearchRun,
  query: RankQuery,
  hypotheses: readonly Hypothesis[],
  { anchor, mix }: EnrichOptions,
): Promise<QueryVector> {
  const unchanged: QueryVector = { vector: query.vector, ...(query.parts && { parts: query.parts }) };
  const vector = await query.vector;
  if (run.mode === 'lexical' || vector === undefined) return unchanged;
  try {
    // With the question in front it is another text than the one whose vector is known.
    const known = ({ vector: own }: Hypothesis) => (anchor === 'concat' ? undefined : own);
    const unembedded = hypotheses.filter((hypothesis) => known(hypothesis) === undefined);
    const texts = unembedded.map(({ text }) => anchoredText(anchor, run.question, text));
    const embedded = await embedRemembered(run, texts, 'document');
    const useful = hypotheses
      .map((hypothesis) => ({
        hypothesis,
        vector: known(hypothesis) ?? embedded[unembedded.indexOf(hypothesis)]!,
        count: countOf(hypothesis),
      }))
      // What is no vector of this space passes here and fails below, so that it is reported.
      .filter((candidate) => norm(candidate.vector) !== 0);
    if (useful.length === 0) return unchanged;
    const weight = anchorWeight(anchor, mix, useful);
    const alone = weight === Number.POSITIVE_INFINITY;
    const mean = meanOf(useful);
    // Passages that cancel each other out say nothing.
    if (norm(mean) === 0) return unchanged;
    const enriched = alone ? normalize(mean) : averageEmbeddings([vector, mean], { weights: [1, weight] });
    return {
      vector: Promise.resolve(enriched),
      parts: async () => {
        const { joinParts } = await import('./vector-parts.js');
        const added = useful.map(({ hypothesis, ...rest }) => ({ of: hypothesis, ...rest }));
        return joinParts(alone ? [] : ((await query.parts?.()) ?? []), added, alone ? 1 : weight);
      },
    };
  } catch (error) {
    if (run.settings.signal?.aborted) throw error;
    run.log.degraded.push({ part: 'hypotheses', reason: `not in the dense leg: ${reasonOf(error)}` });
    return unchanged;
  }
}
