import { embedTexts } from './embed.js';
import { reasonOf } from './errors.js';
import type { Leg, LegScore } from './fusion.js';
import type { Hypothesis } from './hypothesis.js';
import type { TermPart } from './ports.js';
import type { Hit } from './result.js';
import { remainingMs, type SearchRun } from './run.js';
import { passageSentences } from './sentence-trim.js';
import type { VectorPart } from './vector-parts.js';
import { cosine } from './vectors.js';

/** Why a number is what it is. The values of the parts add up to the value. */
export interface Explanation {
  /** `score`, the name of a leg, a term, `question`, `hypothesis 1` or `passage 1` in the order of the trace, `offset`. */
  readonly of: string;
  readonly value: number;
  /** How it came about, for people. */
  readonly how: string;
  readonly parts?: readonly Explanation[];
  /** Of a hypothesis or passage: its sentence that is nearest to the chunk, with the cosine. */
  readonly sentence?: { readonly text: string; readonly similarity: number };
  /** Where a reranker has read the best of the list: the fused score that its own replaced. */
  readonly before?: Explanation;
}

/** Sentences of all hypotheses that are compared with the hits. */
const maxSentences = 200;

/**
 * How the score of each hit came about, as trees: fused score → legs → terms, or question and hypotheses. BM25 is a sum over
 * terms, and a cosine one over the vectors that the query's is made of, so every level adds up to the one above it.
 */
export async function explainHits(
  run: SearchRun,
  hits: readonly Pick<Hit, 'id' | 'score' | 'legs'>[],
): Promise<Map<string, Explanation>> {
  const ids = hits.map(({ id }) => id);
  const { rankedBy, stages } = run.log;
  if (rankedBy === undefined || ids.length === 0) return new Map();
  const lexical = rankedBy.legs.find(({ name }) => name.startsWith('lexical'));
  const dense = rankedBy.legs.find(({ name }) => name.startsWith('dense'));
  const [terms, vectors] = await Promise.all([
    lexical === undefined ? new Map<string, Explanation[]>() : termParts(run, ids),
    dense === undefined ? new Map<string, Explanation[]>() : vectorParts(run, ids),
  ]);
  const reranked = stages.get('rerank');
  return new Map(
    hits.map((hit): [string, Explanation] => {
      const parts = rankedBy.legs.flatMap((leg) => {
        const own = (leg === lexical ? terms : vectors).get(hit.id) ?? [];
        const given = hit.legs[leg.name];
        return given === undefined ? [] : [explainLeg(run, leg, leg.weight / rankedBy.total, given, own)];
      });
      const value = parts.reduce((sum, part) => sum + part.value, 0);
      const fused = { of: 'score', value, how: `the sum of ${parts.length === 1 ? 'one leg' : 'the legs'}`, parts };
      if (reranked === undefined) return [hit.id, fused];
      const how = reranked.has(hit.id)
        ? 'what the reranker said of question and passage, between 0 and 1'
        : 'a share of the lowest score that the reranker gave: it did not read this one';
      return [hit.id, { of: 'score', value: hit.score, how, before: fused }];
    }),
  );
}

function explainLeg(
  { settings }: SearchRun,
  { name, list: { range } }: Leg,
  share: number,
  { rank, score, part }: LegScore,
  own: readonly Explanation[],
): Explanation {
  const place = rank === null ? 'outside of its pool' : `rank ${rank}`;
  if (settings.fusion === 'rrf') return { of: name, value: part, how: `${shown(share)} for ${place}` };
  const scaled = share > 0 ? part / share : 0;
  const how = `${shown(share)} × ${shown(scaled)}: scored ${shown(score)}, ${place}; the leg's scores go from ${shown(range.min)} to ${shown(range.max)}`;
  const width = score - range.min;
  if (own.length === 0 || width <= 0) return { of: name, value: part, how };
  // What a unit of the score is worth, from the lowest one up; exact where the scale is linear.
  const worth = part / width;
  const parts = own.map((inner) => ({ ...inner, value: inner.value * worth }));
  const offset = part - parts.reduce((sum, { value }) => sum + value, 0);
  const moved = { of: 'offset', value: offset, how: 'the lowest score of the leg counts as nothing' };
  return { of: name, value: part, how, parts: Math.abs(offset) > 1e-9 ? [...parts, moved] : parts };
}

/** The parts of each chunk's BM25 score, largest first. */
async function termParts(run: SearchRun, ids: readonly string[]): Promise<Map<string, Explanation[]>> {
  const { terms } = run.log.rankedBy!.query;
  const asked = new Map(run.terms.map(({ term, weight }) => [term, weight]));
  const { prefixes } = run;
  const explained = (await run.store.explainMatch?.(terms, ids, { ...(prefixes && { prefixes }) })) ?? [];
  const explain = ({ term, weight, idf, tf, length, part }: TermPart): Explanation => {
    const own = asked.get(term) ?? 0;
    const added = weight - own;
    const origin =
      added <= 1e-9 || term.endsWith('*')
        ? `weight ${shown(weight)}`
        : own === 0
          ? `weight ${shown(added)} from hypotheses`
          : `weight ${shown(own)} + ${shown(added)} from hypotheses`;
    return { of: term, value: part, how: `${origin}, idf ${shown(idf)}, ${tf} × in ${length} words` };
  };
  return new Map(
    explained.map(({ id, parts }) => [
      id,
      parts
        .filter(({ part }) => part !== 0)
        .map(explain)
        .sort((a, b) => b.value - a.value || (a.of < b.of ? -1 : 1)),
    ]),
  );
}

/** The parts of each chunk's cosine to the query's vector. */
async function vectorParts(run: SearchRun, ids: readonly string[]): Promise<Map<string, Explanation[]>> {
  const parts = (await run.log.rankedBy!.query.parts?.()) ?? [];
  const chunks = await run.store.get(ids, { vectors: true });
  const names = nameParts(parts);
  const sentences = await embedSentences(run, parts);
  const explained = new Map<string, Explanation[]>();
  for (const { id, vector } of chunks) {
    if (vector === undefined) continue;
    explained.set(
      id,
      parts.map((part, at) => {
        const similarity = cosine(part.vector, vector);
        const sentence = nearest(sentences.get(part) ?? [], vector);
        const how = `${shown(part.factor)} × cosine ${shown(similarity)}`;
        return { of: names[at]!, value: part.factor * similarity, how, ...(sentence && { sentence }) };
      }),
    );
  }
  return explained;
}

function nameParts(parts: readonly VectorPart[]): string[] {
  const counts = { hypothesis: 0, passage: 0 };
  return parts.map(({ of }) => {
    if (of === 'question') return of;
    const kind = of.source === 'feedback' ? 'passage' : 'hypothesis';
    return `${kind} ${++counts[kind]}`;
  });
}

interface EmbeddedSentence {
  readonly text: string;
  readonly vector: Float32Array;
}

async function embedSentences(
  run: SearchRun,
  parts: readonly VectorPart[],
): Promise<Map<VectorPart, EmbeddedSentence[]>> {
  const { embedder, settings } = run;
  const split = parts.flatMap((part) =>
    part.of === 'question' ? [] : sentencesOf(part.of).map((text) => ({ part, text })),
  );
  const asked = split.slice(0, maxSentences);
  if (embedder === undefined || asked.length === 0) return new Map();
  try {
    const texts = asked.map(({ text }) => text);
    const { signal } = settings;
    const call = { role: 'document', deadlineMs: remainingMs(run), ...(signal && { signal }) } as const;
    const vectors = await embedTexts(embedder, texts, call);
    const found = new Map<VectorPart, EmbeddedSentence[]>();
    asked.forEach(({ part, text }, at) => {
      found.set(part, [...(found.get(part) ?? []), { text, vector: vectors[at]! }]);
    });
    return found;
  } catch (error) {
    if (settings.signal?.aborted) throw error;
    run.log.degraded.push({ part: 'explain', reason: `the nearest sentences are not known: ${reasonOf(error)}` });
    return new Map();
  }
}

/** One sentence alone is the hypothesis itself, and says nothing more. */
function sentencesOf({ text }: Hypothesis): string[] {
  const sentences = passageSentences(text).map((sentence) => sentence.text);
  return sentences.length > 1 ? sentences : [];
}

function nearest(sentences: readonly EmbeddedSentence[], vector: Float32Array): Explanation['sentence'] {
  let best: Explanation['sentence'];
  for (const sentence of sentences) {
    const similarity = cosine(sentence.vector, vector);
    if (best === undefined || similarity > best.similarity) best = { text: sentence.text, similarity };
  }
  return best;
}

/** Four significant digits, for people; the values are exact. */
function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}
