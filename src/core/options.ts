import { type Anchor, anchors } from './anchor.js';
import { checkFilter } from './check-filter.js';
import { SurmiseError } from './errors.js';
import type { Expansion } from './expansion.js';
import type { FusionMethod } from './fusion.js';
import type { HydeMode } from './gate.js';
import type { Filter } from './ports.js';
import type { HypothesisPromptOptions, Turn } from './prompt.js';
import { checkPrompt } from './prompt-check.js';
import type { Mode } from './result.js';
import { type ScoreScale, scoreScales } from './score-scale.js';

export interface SearchOptions {
  /** How many hits at most, 1 to 1,000. Default 10. The hits for k are a prefix of those for more. */
  readonly k?: number;
  /** Which legs run. Default `hybrid` where an embedder is configured, else `lexical`. */
  readonly mode?: Mode;
  /** Whether hypotheses are used: `auto` asks the gate. Default `auto`. */
  readonly hyde?: HydeMode;
  /**
   * The caller's own hypotheses; they are used instead of generated ones unless `hyde` is off. At most 64,
   * each of at most 20,000 characters.
   */
  readonly hypotheses?: readonly (string | GivenHypothesis)[];
  /** How hypotheses join the question in the dense leg. Default `mix`. */
  readonly anchor?: Anchor;
  /** Share of the question's vector in a `mix`, 0 to 1. Default 0.5. */
  readonly mix?: number;
  /** How the words of hypotheses join the question's in the lexical leg. Default `rocchio`. */
  readonly expansion?: Expansion;
  /** Weight of the hypotheses' terms beside the question's in the lexical leg (Rocchio's β), 0 to 10. Default 0.5. */
  readonly beta?: number;
  /** How many hypotheses to generate, 1 to 32. Default 1 for a generator that calls itself `local`, else 3. */
  readonly n?: number;
  /** What the generator is asked to write; see `hypothesisPrompt`. Default: a general passage in the language of
   * the index, where it has one, else in the question's. */
  readonly prompt?: PromptSettings;
  /**
   * What was said before, oldest first, at most 100 turns: the generator says first what the question means alone, and that
   * is searched with. On any doubt the question stays as it is; see `trace.standalone`.
   */
  readonly history?: readonly Turn[];
  /** Whether the best passages of the first list join in as hypotheses. Default true. */
  readonly feedback?: boolean;
  /** `document` keeps the best chunk of each document. Default `document`. */
  readonly per?: 'document' | 'chunk';
  /** Hits whose final score is below this are left out, 0 to 1. Default 0: nothing is left out. */
  readonly minScore?: number;
  /** How long the search may take, in milliseconds, 1 to 600,000. Default 5,000. What models have not done by then is
   * left out, and said so; the lexical hits are always there. */
  readonly deadlineMs?: number;
  readonly fusion?: FusionMethod;
  /** How scores of the legs are scaled before they are added. Default `min-max`, over all chunks. */
  readonly scale?: ScoreScale;
  /** Share of the dense leg in a hybrid list, 0 to 1. Default: what was measured when the index was filled, else 0.5. */
  readonly denseWeight?: number;
  /**
   * Only documents that fulfil it are searched, in every leg and before ranking, so k hits come back where so many pass.
   * What a word weighs (idf) stays that of the whole index. See `matchesFilter` for the meaning, `parseWhere` for text.
   */
  readonly where?: Filter;
  /**
   * Whether the reranker reads the best of the fused list, with the question as it was asked. Default: where one is
   * configured. Its scores become those of the hits, and `minScore` looks at them.
   */
  readonly rerank?: boolean | RerankSettings;
  /** Whether hits that are like better ones make way for others (maximal marginal relevance). Default false. */
  readonly mmr?: boolean | MmrSettings;
  /** Whether each hit brings the sentences that are near to the question. Default false. */
  readonly trim?: boolean | TrimSettings;
  /** Whether each hit brings the tree of how its score came about. Default false. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
}

/** A hypothesis of the caller. */
export interface GivenHypothesis {
  readonly text: string;
  /** What it counts beside the others, more than 0. Default 1. */
  readonly weight?: number;
}

export interface RerankSettings {
  /** How many of the list are read, 1 to 1,000, whatever k is. Default 50. */
  readonly depth?: number;
}

export interface MmrSettings {
  /** 1 is the order of relevance, 0 looks at diversity alone. Default 0.5. */
  readonly lambda?: number;
}

export type PromptSettings = Pick<HypothesisPromptOptions, 'type' | 'language' | 'instructions' | 'mode'>;

export interface TrimSettings {
  /** The cosine to the question that a sentence must reach, -1 to 1. Default 0.38. The nearest one always stays. */
  readonly floor?: number;
}

/** Search options with their defaults. */
export type CheckedOptions = Omit<SearchOptions, keyof typeof defaults> &
  Required<Pick<SearchOptions, keyof typeof defaults>>;

/** Candidates that each leg gives to fusion, whatever k is. */
export const pool = 1_000;
const maxHypotheses = 64;
const maxTurns = 100;
/** UTF-16 units of a question, and of a hypothesis that a caller gives. */
export const maxQuestionLength = 20_000;

const defaults = {
  k: 10,
  hyde: 'auto',
  feedback: true,
  per: 'document',
  minScore: 0,
  deadlineMs: 5_000,
  fusion: 'linear',
  scale: 'min-max',
  anchor: 'mix',
  mix: 0.5,
  beta: 0.5,
  expansion: 'rocchio',
  mmr: false,
  trim: false,
  explain: false,
} as const satisfies SearchOptions;

const isTurn = (turn: unknown) =>
  typeof turn === 'object' &&
  turn !== null &&
  'role' in turn &&
  (turn.role === 'user' || turn.role === 'assistant') &&
  'text' in turn &&
  isShort(turn.text);
const isShort = (text: unknown) => typeof text === 'string' && text.length <= maxQuestionLength;
const isGiven = (value: unknown) => {
  const { text, weight = 1 } = (value ?? {}) as { text?: unknown; weight?: unknown };
  return isShort(text) && typeof weight === 'number' && weight > 0 && Number.isFinite(weight);
};

type Check = { readonly expected: string; readonly ok: (value: unknown) => boolean };

const integer = (low: number, high: number): Check => ({
  expected: `a whole number from ${low} to ${high}`,
  ok: (value) => Number.isInteger(value) && (value as number) >= low && (value as number) <= high,
});
const number = (low: number, high: number): Check => ({
  expected: `a number from ${low} to ${high}`,
  ok: (value) => typeof value === 'number' && value >= low && value <= high,
});
const fraction = number(0, 1);
const yesOrNo: Check = { expected: 'true or false', ok: (value) => typeof value === 'boolean' };
const oneOf = (...names: readonly string[]): Check => ({
  expected: names.map((name) => `"${name}"`).join(', '),
  ok: (value) => names.includes(value as string),
});

/** A stage that is switched, or set by fields of its own. */
const stage = (fields: Readonly<Record<string, Check>>): Check => ({
  expected: `true, false, or an object with ${Object.entries(fields)
    .map(([name, { expected }]) => `"${name}": ${expected}`)
    .join(', ')}`,
  ok: (value) =>
    typeof value === 'boolean' ||
    (typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(value).every(
        ([name, field]) => Object.hasOwn(fields, name) && (field === undefined || fields[name]!.ok(field)),
      )),
});

const checks: Readonly<Record<keyof SearchOptions, Check>> = {
  k: integer(1, pool),
  mode: oneOf('lexical', 'dense', 'hybrid'),
  hyde: oneOf('auto', 'on', 'off'),
  hypotheses: {
    expected: `a list of at most ${maxHypotheses} strings of at most ${maxQuestionLength} characters, or of { text, weight } with a weight above 0`,
    ok: (value) =>
      Array.isArray(value) && value.length <= maxHypotheses && value.every((one) => isShort(one) || isGiven(one)),
  },
  n: integer(1, 32),
  // What is in them has its own messages, see `hypothesisPrompt`.
  prompt: {
    expected: 'an object of "type", "language", "instructions" and "mode", each a string',
    ok: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(
        ([name, field]) =>
          ['type', 'language', 'instructions', 'mode'].includes(name) &&
          (field === undefined || typeof field === 'string'),
      ),
  },
  history: {
    expected: `a list of at most ${maxTurns} turns, each with "role" ("user" or "assistant") and "text" of at most ${maxQuestionLength} characters`,
    ok: (value) => Array.isArray(value) && value.length <= maxTurns && value.every(isTurn),
  },
  feedback: yesOrNo,
  per: oneOf('document', 'chunk'),
  minScore: fraction,
  deadlineMs: integer(1, 600_000),
  fusion: oneOf('linear', 'rrf'),
  scale: oneOf(...scoreScales),
  anchor: oneOf(...anchors),
  mix: fraction,
  beta: number(0, 10),
  expansion: oneOf('rocchio', 'query2doc'),
  denseWeight: fraction,
  // What is in it has its own messages, see below.
  where: { expected: 'a filter, see parseWhere', ok: (value) => typeof value === 'object' && value !== null },
  rerank: stage({ depth: integer(1, pool) }),
  mmr: stage({ lambda: fraction }),
  trim: stage({ floor: number(-1, 1) }),
  explain: yesOrNo,
  signal: { expected: 'an AbortSignal', ok: (value) => value instanceof AbortSignal },
};

/**
 * Fills in the defaults. An option that is `undefined` counts as not given.
 *
 * @throws SurmiseError `bad_argument` for an unknown option or a value out of range
 */
export function checkOptions(options: SearchOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null)
    throw new SurmiseError('bad_argument', 'The search options must be an object.');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(checks, name))
      throw new SurmiseError(
        'bad_argument',
        `Unknown search option "${name}". Known: ${Object.keys(checks).join(', ')}.`,
      );
    const check = checks[name as keyof SearchOptions];
    if (!check.ok(value)) throw new SurmiseError('bad_argument', `"${name}" must be ${check.expected}.`);
  }
  const { where, prompt } = options;
  if (prompt !== undefined) checkPrompt(prompt);
  return { ...defaults, ...Object.fromEntries(given), ...(where !== undefined && { where: checkFilter(where) }) };
}

/** The question in NFC without white space around it. */
export function normaliseQuestion(query: unknown): string {
  if (typeof query !== 'string') throw new SurmiseError('bad_argument', 'The query must be a string.');
  if (query.length > maxQuestionLength)
    throw new SurmiseError(
      'bad_argument',
      `The query is longer than ${maxQuestionLength} characters; ask a shorter one.`,
    );
  return query.normalize('NFC').trim();
}
