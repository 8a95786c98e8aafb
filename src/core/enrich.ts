import { embedTexts } from './embed.js';
import { reasonOf } from './errors.js';
import { type ExpansionOptions, expandTerms } from './expansion.js';
import type { Hypothesis } from './hypothesis.js';
import type { Role } from './ports.js';
import type { RankQuery } from './rank.js';
import { remainingMs, type SearchRun } from './run.js';
import { averageEmbeddings, norm, normalize } from './vectors.js';

/** How much hypotheses add to the question. */
export interface EnrichOptions extends ExpansionOptions {
  /** Weight of the hypotheses' mean beside the question's vector with weight 1. */
  readonly dense: number;
}

/** Written or given passages. Fitted on the even half of the queries of scifact and trec-dl-pool, in order of id. */
export const hypothesisWeights: EnrichOptions = { beta: 0.75, terms: 128, dense: 1 };
/** Passages of the index: they are likely to be near, not certain to answer. Fitted on scifact train and nfcorpus dev. */
export const feedbackWeights: EnrichOptions = { beta: 0.25, terms: 20, dense: 0.4 };

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

/** The query joined by hypotheses: Rocchio-weighted terms, and `normalise(q + w · normalise(mean(h)))`. */
export async function enrich(
  run: SearchRun,
  query: RankQuery,
  hypotheses: readonly Hypothesis[],
  weights: EnrichOptions,
): Promise<RankQuery> {
  const [texts, enriched] = await Promise.all([
    run.mode === 'dense' ? [] : run.store.analyze(hypotheses.map(({ text }) => text)),
    enrichVector(run, query, hypotheses, weights.dense),
  ]);
  const terms = expandTerms(query.terms, texts, run.info.chunks, { ...weights, weights: hypotheses.map(countOf) });
  return { terms, ...enriched };
}

type QueryVector = Pick<RankQuery, 'vector' | 'parts'>;

async function enrichVector(
  run: SearchRun,
  query: RankQuery,
  hypotheses: readonly Hypothesis[],
  weight: number,
): Promise<QueryVector> {
  const unchanged: QueryVector = { vector: query.vector, ...(query.parts && { parts: query.parts }) };
  const vector = await query.vector;
  if (run.mode === 'lexical' || vector === undefined) return unchanged;
  try {
    const unembedded = hypotheses.filter((hypothesis) => hypothesis.vector === undefined);
    const texts = unembedded.map(({ text }) => text);
    const embedded = await embedRemembered(run, texts, 'document');
    const useful = hypotheses
      .map((hypothesis) => ({
        hypothesis,
        vector: hypothesis.vector ?? embedded[unembedded.indexOf(hypothesis)]!,
        count: countOf(hypothesis),
      }))
      // What is no vector of this space passes here and fails below, so that it is reported.
      .filter((candidate) => norm(candidate.vector) !== 0);
    if (useful.length === 0) return unchanged;
    const mean = averageEmbeddings(
      useful.map((candidate) => candidate.vector),
      { weights: useful.map(({ count }) => count) },
    );
    const enriched = averageEmbeddings([vector, mean], { weights: [1, weight] });
    return {
      vector: Promise.resolve(enriched),
      parts: async () => {
        const { joinParts } = await import('./vector-parts.js');
        const added = useful.map(({ hypothesis, ...rest }) => ({ of: hypothesis, ...rest }));
        return joinParts((await query.parts?.()) ?? [], added, weight);
      },
    };
  } catch (error) {
    if (run.settings.signal?.aborted) throw error;
    run.log.degraded.push({ part: 'hypotheses', reason: `not in the dense leg: ${reasonOf(error)}` });
    return unchanged;
  }
}

function countOf({ weight = 1 }: Hypothesis): number {
  return Number.isFinite(weight) && weight > 0 ? weight : 1;
}

/** Embeds what earlier searches have not, within what is left of the search's time. */
async function embedRemembered(run: SearchRun, texts: readonly string[], role: Role): Promise<Float32Array[]> {
  const { memory, embedder, settings } = run;
  const keyOf = (text: string) => `${role} ${text}`;
  const known = texts.map((text) => memory.vectors.get(keyOf(text)));
  const missing = texts.filter((_, index) => known[index] === undefined);
  const deadlineMs = remainingMs(run);
  const { signal } = settings;
  const embedded = await embedTexts(embedder!, missing, { role, deadlineMs, ...(signal && { signal }) });
  missing.forEach((text, index) => {
    memory.vectors.set(keyOf(text), embedded[index]!);
  });
  let next = 0;
  return known.map((vector) => vector ?? embedded[next++]!);
}
