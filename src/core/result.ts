import type { DenseWeight } from './dense-weight.js';
import type { Explanation } from './explain.js';
import type { Fused, LegScore } from './fusion.js';
import type { GateDecision } from './gate.js';
import type { DropReason, Hypothesis } from './hypothesis.js';
import type { Filter, Requirement, Scored, WeightedPrefix } from './ports.js';
import type { RankedBy } from './rank.js';
import type { KeptSentence } from './sentence-trim.js';

export type Mode = 'lexical' | 'dense' | 'hybrid';

export type LegName = 'lexical' | 'dense' | 'lexical+hypothesis' | 'dense+hypothesis';

/** A chunk that was found, and why it stands where it stands. */
export interface Hit {
  /** 1-based. */
  readonly rank: number;
  /** The chunk's id. */
  readonly id: string;
  readonly document: string;
  readonly path: string;
  readonly title: string;
  readonly heading: readonly string[];
  /** The header of the table that the chunk continues; it stands elsewhere in the document. */
  readonly header?: string;
  readonly text: string;
  /** UTF-16 offsets in the document: `document.text.slice(start, end) === text`. */
  readonly start: number;
  readonly end: number;
  /** With `trim`: the sentences that are near to the question, in their order; `text` stays whole. */
  readonly sentences?: readonly KeptSentence[];
  /**
   * 0 to 1, higher is better, relative to this search; the legs' own scores are the absolute evidence. The fused score,
   * or that of the reranker. Hits are in its order, except with `mmr`, which ranks by more than relevance.
   */
  readonly score: number;
  readonly legs: Readonly<Record<string, LegScore>>;
  /**
   * The score and rank after each stage that the search went through: among chunks, and from `rerank` on, where the
   * scores are those of the reranker and of MMR as they gave them, among what was rolled up to documents.
   */
  readonly stages: Readonly<Partial<Record<Stage, { readonly score: number; readonly rank: number }>>>;
  /** With `explain`: how the score came about. */
  readonly explanation?: Explanation;
}

/**
 * plain: question alone; hypotheses: with generated or given passages; feedback: with passages of the index. Behind
 * fusion: rerank, mmr.
 */
export type Stage = 'plain' | 'hypotheses' | 'feedback' | 'rerank' | 'mmr';

export interface LegTrace {
  readonly name: LegName;
  readonly stage: Stage;
  /** How many candidates the leg gave to fusion. */
  readonly candidates: number;
  /** How many chunks carry the signal at all. */
  readonly matched: number;
  readonly ms: number;
  /** How many weighted terms a lexical leg asked for. */
  readonly terms?: number;
}

export interface HypothesisTrace {
  readonly source: Hypothesis['source'];
  readonly text: string;
  readonly used: boolean;
  readonly dropped?: DropReason;
}

/** A part that could not take its share in the answer. */
export interface Degraded {
  readonly part:
    | 'cache'
    | 'explain'
    | 'dense'
    | 'generator'
    | 'hypotheses'
    | 'feedback'
    | 'index'
    | 'operators'
    | 'rerank'
    | 'mmr'
    | 'trim';
  readonly reason: string;
}

/** What happened in one search. Times are durations in milliseconds. */
export interface Trace {
  readonly gate: GateDecision;
  readonly generator?: {
    readonly id: string;
    readonly wanted: number;
    readonly received: number;
    readonly ms: number;
    /** `cache`: nobody was asked. `another search`: the call of one that asked the same was shared. */
    readonly from: 'call' | 'cache' | 'another search';
    /** That it was told to write in: the one asked for, else that of the index. */
    readonly language?: string;
  };
  /** With a `history`: what was asked, and why it was searched with as it stands where no other form was believed. */
  readonly standalone?: { readonly asked: string; readonly doubt?: string; readonly ms: number };
  readonly hypotheses: readonly HypothesisTrace[];
  readonly legs: readonly LegTrace[];
  readonly fusion: {
    readonly method: string;
    /** Share of each leg in the last list. */
    readonly weights: Readonly<Record<string, number>>;
    /** Where the weights of a hybrid list are from: the caller, a measurement of the index, or neither. */
    readonly weightsFrom?: DenseWeight['from'];
    readonly pool: number;
  };
  /** The reranker and how many passages it read. */
  readonly rerank?: { readonly id: string; readonly passages: number; readonly ms: number };
  readonly mmr?: { readonly lambda: number; readonly candidates: number };
  /** How many sentences were compared with the question, and how many stayed. */
  readonly trim?: { readonly floor: number; readonly sentences: number; readonly kept: number; readonly ms: number };
  readonly index: { readonly documents: number; readonly chunks: number; readonly vectors: number };
  /** What the operators of the question ask for, in terms of the index. */
  readonly operators?: Partial<Requirement> & { readonly prefixes?: readonly WeightedPrefix[] };
  /** What was asked for, and how much of the index fulfils it. */
  readonly filter?: { readonly where: Filter; readonly documents: number; readonly chunks: number };
  readonly ms: number;
}

/** Why an answer has no hits although nothing failed. */
export type EmptyReason =
  | 'empty query'
  | 'no searchable token'
  | 'nothing indexed'
  | 'nothing passes the filter'
  | 'nothing matches'
  | 'below the threshold';

export interface SearchResult {
  readonly query: string;
  /** The legs that were asked for, or those that exist where fewer do (then `degraded` says so). */
  readonly mode: Mode;
  readonly hits: readonly Hit[];
  readonly reason?: EmptyReason;
  readonly trace: Trace;
  readonly degraded: readonly Degraded[];
}

/** Collects the trace while a search runs. */
export interface TraceLog {
  gate: GateDecision;
  generator?: NonNullable<Trace['generator']>;
  weightsFrom?: DenseWeight['from'];
  standalone?: NonNullable<Trace['standalone']>;
  filter?: NonNullable<Trace['filter']>;
  operators?: NonNullable<Trace['operators']>;
  weights: Readonly<Record<string, number>>;
  readonly hypotheses: HypothesisTrace[];
  legs: LegTrace[];
  readonly degraded: Degraded[];
  readonly stages: Map<Stage, ReadonlyMap<string, { score: number; rank: number }>>;
  /** What explains the last list. */
  rankedBy?: RankedBy;
  /** That list, rolled up and refined, before it was cut to k. */
  list?: readonly Fused[];
}

export function newTraceLog(): TraceLog {
  return {
    gate: { open: false, reason: 'not reached' },
    weights: {},
    hypotheses: [],
    legs: [],
    degraded: [],
    stages: new Map(),
  };
}

/** Remembers where each chunk stood after a stage. */
export function logStage(log: TraceLog, stage: Stage, list: readonly (Scored | Fused)[]): void {
  log.stages.set(stage, new Map(list.map(({ id, score }, index) => [id, { score, rank: index + 1 }])));
}
