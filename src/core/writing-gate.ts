import { parseChunkId } from './chunk-id.js';
import type { SearchRun } from './run.js';

/** Why a model is not asked although hypotheses would be welcome. */
export type WritingReason = 'clear lexical winner' | 'bare name';

/** Chunks that are looked at for the best of another document. */
const looked = 10;
/**
 * A winner scores this share of what a chunk would that holds each word of the question once, and the next document at
 * most that share of the winner's. Fitted on scifact train and nfcorpus dev: where both hold the first hit is right.
 */
const leastCoverage = 0.6;
const mostRunnerUp = 0.65;

/** Words that begin with a capital, particles between them. */
const name =
  /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:(?:de|da|do|dos|del|della|di|du|la|le|van|von|der|den|ter|bin|ibn|al|y|e) ){0,2}\p{Lu}[\p{L}\p{M}.'’-]*){1,3}$/u;
/** The words of a name are rare; a topic in capitals is not taken for one. */
const rareShare = 0.01;
const rareChunks = 3;

/**
 * Questions for which a model would only cost: where one document stands out by its words alone, and names, which what a
 * model writes about somebody would drown. Feedback from the index costs nothing and is not held back.
 */
export async function reasonNotToWrite(run: SearchRun): Promise<WritingReason | undefined> {
  const { store, terms, info, settings, question } = run;
  if (settings.hyde !== 'auto' || terms.length === 0) return undefined;
  const mostChunks = Math.max(rareChunks, rareShare * info.chunks);
  if (name.test(question) && terms.every(({ chunks }) => chunks <= mostChunks)) return 'bare name';
  if (run.mode === 'dense') return undefined;
  const { where } = settings;
  const { require, prefixes } = run;
  const limits = { ...(where && { where }), ...(require && { require }), ...(prefixes && { prefixes }) };
  const { hits } = await store.match(terms, { k: looked, ...limits });
  const best = hits[0];
  if (best === undefined) return undefined;
  const documentOf = (id: string) => parseChunkId(id).document;
  const next = hits.find(({ id }) => documentOf(id) !== documentOf(best.id));
  const wins = best.score >= leastCoverage * fullScore(run) && (next?.score ?? 0) <= mostRunnerUp * best.score;
  return wins ? 'clear lexical winner' : undefined;
}

/** BM25 of a chunk of mean length that holds each term once: the sum of weight · idf. */
function fullScore({ terms, info }: SearchRun): number {
  return terms.reduce(
    (sum, { weight, chunks }) => sum + weight * Math.log(1 + (info.chunks - chunks + 0.5) / (chunks + 0.5)),
    0,
  );
}
