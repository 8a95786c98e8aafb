import {
  describeFingerprint,
  type Embedder,
  type ErrorCode,
  embedTexts,
  type Fingerprint,
  fingerprintKey,
  type Generator,
  hypothesisPrompt,
  isSurmiseError,
  messageOf,
  needleTest,
  withDeadline,
} from '../core/index.js';

/** What was tried, and what came of it. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'not tried';
  readonly detail: string;
  /** What to do about it. */
  readonly todo?: string;
  /** Of what failed. */
  readonly code?: ErrorCode;
}

const deadlineMs = 30_000;
/** A model on this machine may have to be loaded first. */
const generationDeadlineMs = 120_000;
const sample = 'The harbour lies in the north of the town.';
const sampleQuestion = 'Where does the harbour lie?';
/** UTF-16 units that a chunk of the usual size seldom exceeds. */
const usualChunk = 2_000;

/** A check whose failure is its result; only giving up passes. */
export async function attempted(name: string, signal: AbortSignal, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (signal.aborted) throw error;
    const code = isSurmiseError(error) ? error.code : 'internal';
    return { name, state: 'failed', detail: messageOf(error), code };
  }
}

/** One text, as a document and as a question. */
export async function checkEmbedding(embedder: Embedder, signal: AbortSignal): Promise<Check> {
  const started = performance.now();
  for (const role of ['document', 'query'] as const) {
    const [vector] = await embedTexts(embedder, [sample], { role, signal, deadlineMs });
    if (vector?.every((value) => value === 0))
      return {
        name: 'embedding',
        state: 'failed',
        code: 'provider_failed',
        detail: `${describeFingerprint(embedder.fingerprint)} answers vectors of zeros.`,
        todo: 'Choose another model; with these nothing can be found.',
      };
  }
  const ms = Math.round(performance.now() - started);
  return {
    name: 'embedding',
    state: 'ok',
    detail: `${describeFingerprint(embedder.fingerprint)}, 2 texts in ${ms} ms`,
  };
}

/** Whether long texts are read to their end. Chunks are cut to what the embedder says that it takes, so that much is enough. */
export async function checkTruncation(embedder: Embedder, signal: AbortSignal): Promise<Check> {
  const name = 'truncation';
  const { read, cut, refused } = await needleTest(embedder, { signal });
  const upTo = `Texts of ${read.toLocaleString('en')} characters are read to their end`;
  if (refused !== undefined)
    return { name, state: 'ok', detail: `${upTo}; longer ones are refused, not cut: ${refused.reason}` };
  if (cut === undefined) return { name, state: 'ok', detail: `${upTo}.` };
  if (embedder.limits.tokens !== undefined)
    return {
      name,
      state: 'ok',
      detail: `${upTo}; the model takes ${embedder.limits.tokens} tokens, and chunks are cut to that.`,
    };
  return {
    name,
    state: read < usualChunk ? 'failed' : 'warning',
    ...(read < usualChunk && { code: 'provider_failed' as const }),
    detail: `Of a text of ${cut.toLocaleString('en')} characters the last words change nothing: the server cuts it and does not say so.`,
    todo: 'Give the server a longer context (Ollama: OLLAMA_CONTEXT_LENGTH=8192; llama.cpp: -c and -ub 8192), or choose a model that reads more, and index again.',
  };
}

/** Whether the vectors of the index can be searched with the embedder. */
export function checkSpace(stored: Fingerprint, { fingerprint }: Embedder): Check {
  const name = 'vectors';
  if (fingerprintKey(stored) === fingerprintKey(fingerprint))
    return { name, state: 'ok', detail: 'The index holds those of this embedder.' };
  return {
    name,
    state: 'failed',
    code: 'embedder_mismatch',
    detail: `The index holds those of ${describeFingerprint(stored)}, but ${describeFingerprint(fingerprint)} is configured.`,
    todo: 'Words still find. For meaning name the embedder of the index, or make its vectors anew with: surmise reembed',
  };
}

/** One short passage. */
export async function checkGeneration(generator: Generator, signal: AbortSignal): Promise<Check> {
  const name = 'generation';
  const started = performance.now();
  const passages = await withDeadline(generator.id, generationDeadlineMs, signal, (inner) =>
    generator.generate(hypothesisPrompt(sampleQuestion), { n: 1, signal: inner }),
  );
  const ms = Math.round(performance.now() - started);
  const text = passages[0]?.text.trim() ?? '';
  if (text === '')
    return {
      name,
      state: 'failed',
      code: 'provider_failed',
      detail: `${generator.id} answered nothing.`,
      todo: 'Choose another model.',
    };
  const slow = ms > 5_000;
  return {
    name,
    state: slow ? 'warning' : 'ok',
    detail: `${generator.id}, one passage in ${ms} ms`,
    ...(slow && { todo: 'A search waits 5 seconds; give it more with --deadline, or choose a faster model.' }),
  };
}
