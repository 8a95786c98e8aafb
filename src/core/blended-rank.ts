import { SurmiseError } from './errors.js';
import { byScore } from './fusion.js';
import type { Scored } from './ports.js';

/** What the signals of a fact count; see `blendedRank`. */
export interface RankWeights {
  readonly semantic: number;
  readonly lexical: number;
  readonly temporal: number;
}

export interface BlendCandidate {
  readonly id: string;
  /** Words of the content and of the tags, in lower case. */
  readonly content: readonly string[];
  readonly tags?: readonly string[];
  /** Cosine to the question or its hypotheses; left out where there is no vector. */
  readonly cosine?: number;
  /** Dates: milliseconds, a `Date`, or what `Date.parse` reads. */
  readonly createdAt: number | string | Date;
  readonly lastAccessed?: number | string | Date;
  readonly accessCount?: number;
  /** 0 to 1. Default 0.5. */
  readonly confidence?: number;
}

export interface BlendOptions {
  /** In lower case. */
  readonly keywords?: readonly string[];
  /** Whether there is a vector to compare with. Default: whether any fact has a cosine. */
  readonly withVector?: boolean;
  /** Below 0 counts as 0, 0 is a weight, all 0 are the defaults, as is one that is missing or no number. */
  readonly weights?: Partial<RankWeights>;
  /** The cosine that counts as a signal, [0, 1); anything else is the default, 0.25. */
  readonly minCosine?: number;
  /** How many candidates cosines alone may bring in, from 1. Default 12. */
  readonly topK?: number;
  /** Milliseconds since 1970, against which facts are old. */
  readonly now: number;
  /** Days after which a fact counts half. Default 30. */
  readonly halfLifeDays?: number;
}

export interface Blended extends Scored {
  /** The signals as measured, and what each adds: the parts of a fact add up to its score. */
  readonly signals: RankWeights;
  readonly parts: RankWeights;
}

export const defaultRankWeights: RankWeights = { semantic: 0.55, lexical: 0.3, temporal: 0.15 };
const names = ['semantic', 'lexical', 'temporal'] as const;
const msPerDay = 86_400_000;
/** What every candidate with a signal gets where all of them are equal: as in fusion, all are the best there is. */
const spanless = 1;

/**
 * Ranks facts by meaning, words and time: 0.55·semantic + 0.30·lexical + 0.15·temporal, each scaled by its minimum and
 * maximum over the candidates, who are those with a keyword and the `topK` best by cosine. A candidate without a signal
 * counts 0 in it, so a fact that shares no word still ranks. Where all candidates have one value, those with the signal
 * get 1 and those without 0. Order: score, then id.
 *
 * Neither keywords nor a vector given: every fact, by time. Something given that nothing matches: no fact.
 *
 * @throws SurmiseError `bad_argument`: `now` or another number of the options out of range
 */
export function blendedRank(facts: readonly BlendCandidate[], options: BlendOptions): Blended[] {
  const { keywords = [], topK = 12, now, halfLifeDays = 30 } = options;
  if (!Number.isFinite(now)) throw bad('"now" must be a finite number of milliseconds');
  if (!Number.isInteger(topK) || topK < 1) throw bad('"topK" must be a whole number from 1');
  if (!(halfLifeDays > 0 && halfLifeDays < Number.POSITIVE_INFINITY)) throw bad('"halfLifeDays" must be above 0');
  const { minCosine = 0.25 } = options;
  const floor = minCosine >= 0 && minCosine < 1 ? minCosine : 0.25;
  const seen = new Set<string>();
  const all = facts
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map((fact) => {
      const { id, cosine = Number.NaN } = fact;
      const near = cosine >= floor;
      const lexical = lexicalMatch(keywords, fact);
      const temporal = temporalStrength(fact, now, halfLifeDays);
      return {
        id,
        signals: { semantic: near ? Math.min(1, cosine) : 0, lexical, temporal },
        has: { semantic: near, lexical: lexical > 0, temporal: temporal > 0 },
      };
    });
  const nearest = all
    .filter(({ has }) => has.semantic)
    .map(({ id, signals }) => ({ id, score: signals.semantic }))
    .sort(byScore)
    .slice(0, topK);
  const brought = new Set(nearest.map(({ id }) => id));
  const { withVector = facts.some(({ cosine }) => cosine !== undefined) } = options;
  const asked = keywords.length > 0 || withVector;
  const candidates = asked ? all.filter(({ id, has }) => has.lexical || brought.has(id)) : all;
  const weights = asked ? checkWeights(options.weights) : { semantic: 0, lexical: 0, temporal: 1 };
  const scales = byName((name) => scaleOf(candidates.map(({ signals }) => signals[name])));
  return candidates
    .map(({ id, signals, has }): Blended => {
      const parts = byName((name) => (has[name] ? weights[name] * scales[name](signals[name]) : 0));
      return { id, score: parts.semantic + parts.lexical + parts.temporal, signals, parts };
    })
    .sort(byScore);
}

/**
 * The mean over the keywords of 1 where a word of the content matches and ½ where one of the tags does. Words match when
 * they are equal, or begin with a keyword of 4 characters or more. 0 to 1.5; 0 without keywords.
 */
export function lexicalMatch(
  keywords: readonly string[],
  { content, tags = [] }: Pick<BlendCandidate, 'content' | 'tags'>,
): number {
  if (keywords.length === 0) return 0;
  const counts = keywords.map((keyword) => {
    const open = [...keyword].length >= 4;
    const matches = (word: string) => word === keyword || (open && word.startsWith(keyword));
    return (content.some(matches) ? 1 : 0) + (tags.some(matches) ? 0.5 : 0);
  });
  return counts.reduce((sum, count) => sum + count, 0) / keywords.length;
}

/**
 * (1 + ln(1 + accessCount)) · e^(−days · ln 2 / halfLife) · (0.5 + confidence), with the days since the last access,
 * since the creation where that is no date, and at least 0. A fact without any date counts as endlessly old: 0.
 */
export function temporalStrength(
  fact: Pick<BlendCandidate, 'createdAt' | 'lastAccessed' | 'accessCount' | 'confidence'>,
  now: number,
  halfLifeDays = 30,
): number {
  const at = [fact.lastAccessed, fact.createdAt].map(timeOf).find(Number.isFinite);
  if (at === undefined) return 0;
  const days = Math.max(0, (now - at) / msPerDay);
  const { accessCount = 0, confidence = 0.5 } = fact;
  const uses = Number.isFinite(accessCount) ? Math.max(0, accessCount) : 0;
  const trust = Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0.5;
  return (1 + Math.log1p(uses)) * Math.exp((-days * Math.LN2) / halfLifeDays) * (0.5 + trust);
}

function timeOf(date: BlendCandidate['lastAccessed']): number {
  if (date === undefined) return Number.NaN;
  return typeof date === 'string' ? Date.parse(date) : Number(date);
}

function checkWeights(given: Partial<RankWeights> = {}): RankWeights {
  const weights = byName((name) => {
    const weight = given[name];
    return weight === undefined || !Number.isFinite(weight) ? defaultRankWeights[name] : Math.max(0, weight);
  });
  return names.every((name) => weights[name] === 0) ? defaultRankWeights : weights;
}

function scaleOf(values: readonly number[]): (value: number) => number {
  const [min, max] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as const);
  return (value) => (max > min ? (value - min) / (max - min) : spanless);
}

function byName<T>(make: (name: keyof RankWeights) => T): Record<keyof RankWeights, T> {
  return { semantic: make('semantic'), lexical: make('lexical'), temporal: make('temporal') };
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not rank facts: ${what}.`);
}
