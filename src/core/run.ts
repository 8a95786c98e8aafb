import { SurmiseError } from './errors.js';
import { describeFingerprint, fingerprintKey } from './fingerprint.js';
import { type CheckedOptions, checkOptions, normaliseQuestion, type SearchOptions } from './options.js';
import type { Embedder, Generator, Question, Reranker, Store, StoreInfo } from './ports.js';
import { type EmptyReason, type Mode, newTraceLog, type TraceLog } from './result.js';
import type { SearchMemory } from './search-memory.js';

/** What a search works with. Only the store is needed. */
export interface SearchPorts {
  readonly store: Store;
  readonly embedder?: Embedder;
  /** Writes hypotheses, usually a language model. */
  readonly generator?: Generator;
  /** Picks hypotheses from the passages of the first list; `feedbackGenerator` is the usual one. */
  readonly feedback?: Generator;
  /** Reads the best of the final list. */
  readonly reranker?: Reranker;
}

/** The state of one search. */
export interface SearchRun extends SearchPorts, Pick<Question, 'terms' | 'prefixes' | 'require'> {
  readonly memory: SearchMemory;
  /** Chunks that get a place in the list whether a leg found them or not, so that it can be said where they stand. */
  readonly watched?: readonly string[];
  /** As it was asked. */
  readonly asked: string;
  /** Without its operators: what models read. */
  readonly question: string;
  readonly settings: CheckedOptions;
  readonly mode: Mode;
  readonly info: StoreInfo;
  readonly log: TraceLog;
  readonly started: number;
  /** Set when the answer is known to be empty before any leg runs. */
  readonly empty?: EmptyReason;
}

/**
 * Checks the request against the index and settles which legs can run.
 *
 * @throws SurmiseError `bad_argument`, `embedder_mismatch`, and what the store throws
 */
export async function startRun(
  ports: SearchPorts,
  memory: SearchMemory,
  query: string,
  options: SearchOptions,
): Promise<SearchRun> {
  const started = performance.now();
  const settings = checkOptions(options);
  const log = newTraceLog();
  const own = normaliseQuestion(query);
  const asked = await inFull(ports, memory, own, settings, log);
  const info = await ports.store.info();
  // As they are now: a reload may replace them while the search goes on.
  const parts = { ...ports };
  const mode = settleMode(parts.embedder, info, settings.mode, log);
  const { where } = settings;
  if (where !== undefined) log.filter = { where, ...(await ports.store.count(where)) };
  const { text: question, notes = [], ...parsed } = await parseInFull(ports.store, own, asked);
  for (const reason of notes) log.degraded.push({ part: 'operators', reason });
  const { terms, prefixes, require } = parsed;
  if (prefixes !== undefined || require !== undefined) log.operators = { ...(prefixes && { prefixes }), ...require };
  const empty =
    asked === ''
      ? 'empty query'
      : info.chunks === 0
        ? 'nothing indexed'
        : terms.length === 0 && prefixes === undefined
          ? 'no searchable token'
          : log.filter?.chunks === 0
            ? 'nothing passes the filter'
            : undefined;
  const run = { ...parts, ...parsed, memory, asked, question, settings, mode, info, log, started };
  return empty === undefined ? run : { ...run, empty };
}

async function inFull(
  ports: SearchPorts,
  memory: SearchMemory,
  asked: string,
  settings: CheckedOptions,
  log: TraceLog,
): Promise<string> {
  if ((settings.history ?? []).length === 0 || asked === '') return asked;
  const { fullQuestion } = await import('./full-question.js');
  const { question, trace } = await fullQuestion(ports, memory, asked, settings);
  log.standalone = trace;
  return question;
}

/** Operators are the user's: where there are none in the question, marks that a model put into it are text. */
async function parseInFull(store: Store, own: string, asked: string): Promise<Question> {
  const parsed = await parseQuestion(store, own);
  if (asked === own) return parsed;
  const hasOperators = parsed.require !== undefined || parsed.prefixes !== undefined;
  return hasOperators ? parseQuestion(store, asked) : plainQuestion(store, asked);
}

async function parseQuestion(store: Store, asked: string): Promise<Question> {
  if (asked === '') return { text: '', terms: [] };
  return store.parse === undefined ? plainQuestion(store, asked) : store.parse(asked);
}

async function plainQuestion(store: Store, asked: string): Promise<Question> {
  const [terms = []] = await store.analyze([asked]);
  return { text: asked, terms };
}

/** Milliseconds until the search must have its answer, at least 1. */
export function remainingMs({ started, settings }: SearchRun): number {
  return Math.max(1, started + settings.deadlineMs - performance.now());
}

function settleMode(embedder: Embedder | undefined, info: StoreInfo, wanted: Mode | undefined, log: TraceLog): Mode {
  if (wanted === 'lexical' || (wanted === undefined && embedder === undefined)) return 'lexical';
  if (embedder === undefined || (info.vectors === 0 && info.chunks > 0)) {
    const reason = embedder === undefined ? 'no embedder is configured' : 'the index holds no vectors';
    if (wanted === 'dense')
      throw new SurmiseError('bad_argument', `A dense search is not possible: ${reason}. Search with mode "lexical".`);
    log.degraded.push({ part: 'dense', reason: `${reason}; only words are searched` });
    return 'lexical';
  }
  if (info.fingerprint !== undefined && fingerprintKey(info.fingerprint) !== fingerprintKey(embedder.fingerprint)) {
    const reason =
      `the index holds vectors of ${describeFingerprint(info.fingerprint)}, but the embedder is ` +
      describeFingerprint(embedder.fingerprint);
    if (wanted !== undefined)
      throw new SurmiseError(
        'embedder_mismatch',
        `A ${wanted} search is not possible: ${reason}. Search with the old one or with mode "lexical", or make the vectors anew: surmise reembed`,
      );
    log.degraded.push({
      part: 'dense',
      reason: `${reason}; only words are searched. Use the old one, or make the vectors anew: surmise reembed`,
    });
    return 'lexical';
  }
  if (info.vectors < info.chunks)
    log.degraded.push({
      part: 'dense',
      reason: `${info.chunks - info.vectors} of ${info.chunks} chunks have no vector`,
    });
  return wanted ?? 'hybrid';
}
