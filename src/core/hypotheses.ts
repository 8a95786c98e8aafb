import { withDeadline } from './deadline.js';
import { reasonOf, SurmiseError } from './errors.js';
import type { Fused } from './fusion.js';
import { type Cleaned, type CleanOptions, cleanHypothesis, type Hypothesis } from './hypothesis.js';
import { defaultHypotheses } from './hypothesis-count.js';
import { indexLanguage } from './index-language.js';
import type { PromptSettings } from './options.js';
import type { Chunk, Generation, Generator, Prompt } from './ports.js';
import { hypothesisPrompt, shownPassages } from './prompt.js';
import { remainingMs, type SearchRun } from './run.js';
import { reasonNotToWrite } from './writing-gate.js';

/** Passages that feedback may choose from. */
const feedbackPool = 10;
/** UTF-16 units of a passage that feedback uses. */
const maxPassage = 100_000;
/** UTF-16 units of a hypothesis that the trace shows. */
const maxShown = 2_000;
/** What feedback and a cache may take when a slow generator has used up the time. */
const graceMs = 25;
/** Of the deadline, what is kept for embedding what was written. */
const embedShare = 0.1;
const maxEmbedMs = 500;
/** Of the deadline, what is kept for the reranker. */
const rerankShare = 0.3;

/**
 * The hypotheses of a search: the caller's as given, else generated ones where the gate is open. Never rejects: a
 * generator that fails, hangs or babbles leaves the plain legs, and the trace says so. What came before the deadline
 * is used; what comes later is kept for the next search.
 *
 * @param list the plain list, whose best passages a steered prompt shows
 */
export async function gatherHypotheses(
  run: SearchRun,
  signal: AbortSignal,
  list: readonly Fused[] = [],
): Promise<Hypothesis[]> {
  const { settings, log } = run;
  if (settings.hyde === 'off') return [];
  try {
    if (settings.hypotheses === undefined) return await writtenHypotheses(run, signal, list);
    return accept(
      run,
      settings.hypotheses.map((given) => {
        const { text, ...rest } = typeof given === 'string' ? { text: given } : given;
        return { ...rest, text: text.trim(), source: 'caller' } as const;
      }),
    );
  } catch (error) {
    // What foreign code hands over may throw when it is looked at.
    log.degraded.push({ part: 'generator', reason: reasonOf(error) });
    return [];
  }
}

async function writtenHypotheses(run: SearchRun, signal: AbortSignal, list: readonly Fused[]): Promise<Hypothesis[]> {
  const { generator, settings, log, memory } = run;
  if (generator === undefined || !log.gate.open) return [];
  const { deadlineMs } = settings;
  const reason = await reasonNotToWrite(run);
  if (reason !== undefined) log.gate = { ...log.gate, generation: reason };
  if (reason !== undefined || signal.aborted) return [];
  const started = performance.now();
  const shown = list.slice(0, shownPassages).map(({ id }) => id);
  const wanted = wantedOf(run, generator, shown.length === 0 ? [] : await run.store.get(shown));
  await memory.generations
    .recall(wanted.key, () => remainingMs(run))
    .catch((error) => log.degraded.push({ part: 'cache', reason: reasonOf(error) }));
  const writing = memory.generations.write(generator, wanted);
  if (writing === undefined) {
    const why = memory.generations.refusal(generator) ?? 'breaker open';
    log.gate = { ...log.gate, generation: why };
    if (why === 'breaker open')
      log.degraded.push({
        part: 'generator',
        reason: 'it failed several times in a row and is left alone for a while',
      });
    return [];
  }
  let kept: readonly Generation[] = [];
  const embedMs = Math.min(maxEmbedMs, embedShare * deadlineMs);
  const reserveMs =
    (run.mode === 'lexical' ? 0 : embedMs) +
    (settings.trim === false ? 0 : embedMs) +
    (run.reranker === undefined || settings.rerank === false ? 0 : rerankShare * deadlineMs);
  const waitMs = Math.max(1, remainingMs(run) - reserveMs);
  try {
    kept = await withDeadline('Writing hypotheses', waitMs, signal, () => writing.all);
    writing.leave(false);
    const keepMs = Math.max(graceMs, remainingMs(run));
    const unkept = await withDeadline('Keeping what models made', keepMs, signal, () => writing.kept).catch(reasonOf);
    if (unkept !== undefined) log.degraded.push({ part: 'cache', reason: unkept });
  } catch (error) {
    kept = [...writing.received];
    const late = error instanceof SurmiseError && error.code === 'timeout' && !signal.aborted;
    writing.leave(late);
    const reason = late
      ? `writing hypotheses took longer than ${Math.round(waitMs)} ms of the ${deadlineMs} ms that the search may take`
      : reasonOf(error);
    log.degraded.push({ part: 'generator', reason });
  }
  const ms = performance.now() - started;
  const { language } = promptSettings(run);
  const written = { wanted: wanted.n, received: kept.length, ms, from: writing.from };
  log.generator = { id: String(generator.id), ...written, ...(language !== undefined && { language }) };
  const hypotheses = accept(
    run,
    kept.map((generation) => ({ ...generation, source: 'generator' }) as const),
  );
  if (hypotheses.length === 0 && kept.length > 0)
    log.degraded.push({ part: 'generator', reason: 'none of the hypotheses could be used' });
  return hypotheses;
}

/** What a search asks the generator for, and the key under which it is kept. */
export function wantedOf(run: SearchRun, generator: Generator, passages: readonly Chunk[] = []) {
  const { question, settings } = run;
  const prompt: Prompt = hypothesisPrompt(question, { ...promptSettings(run), passages });
  const n = settings.n ?? defaultHypotheses(generator);
  const options = cleaningOf(promptSettings(run), prompt);
  return {
    // The user's part holds the question and whatever else is shown to the model.
    key: JSON.stringify([String(generator.id), n, prompt.system, prompt.user]),
    prompt,
    n,
    usable: ({ text }: Generation) => 'text' in cleanHypothesis(text, question, options),
  };
}

/** Where nothing else is said, hypotheses are written in the language of the documents. */
function promptSettings({ settings: { prompt = {} }, info }: SearchRun): PromptSettings {
  const language = prompt.language ?? indexLanguage(info);
  return { ...prompt, ...(language !== undefined && { language }) };
}

/** What is known of a text that was asked for. */
function cleaningOf({ type, language }: PromptSettings, { system }: Prompt): CleanOptions {
  return { instructions: system, ...(type !== undefined && { type }), ...(language !== undefined && { language }) };
}

/** The best passages of a list, as the feedback generator picks them. */
export async function feedbackHypotheses(run: SearchRun, list: readonly Fused[]): Promise<Hypothesis[]> {
  const { feedback, store, question, settings, log } = run;
  if (feedback === undefined || !settings.feedback || !log.gate.open || list.length === 0) return [];
  try {
    const ids = list.slice(0, feedbackPool).map(({ id }) => id);
    const passages = await store.get(ids, { vectors: run.mode !== 'lexical' });
    const waitMs = Math.max(graceMs, remainingMs(run));
    const generations = await withDeadline('Feedback', waitMs, settings.signal, (signal) =>
      feedback.generate(hypothesisPrompt(question, { passages }), { n: passages.length, signal }),
    );
    const hypotheses = generations
      .filter(isGeneration)
      .slice(0, feedbackPool)
      .map(
        (generation) => ({ ...generation, text: generation.text.slice(0, maxPassage), source: 'feedback' }) as const,
      );
    for (const { text, source } of hypotheses) log.hypotheses.push({ text: excerpt(text), source, used: true });
    return hypotheses;
  } catch (error) {
    if (settings.signal?.aborted) throw error;
    log.degraded.push({ part: 'feedback', reason: reasonOf(error) });
    return [];
  }
}

function excerpt(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Generators are foreign code; what is not a passage must not stop the search. */
function isGeneration(value: Generation): boolean {
  return typeof value?.text === 'string';
}

/** Cleans what was written, takes what a caller gave as it is, drops empty ones and repetitions. */
function accept(run: SearchRun, hypotheses: readonly Hypothesis[]): Hypothesis[] {
  const seen = new Set<string>();
  const { question, memory } = run;
  const asked = promptSettings(run);
  const options = cleaningOf(asked, hypothesisPrompt(question, asked));
  const judge = ({ source, text }: Hypothesis): Cleaned => {
    const isGiven = source === 'caller' && text !== '';
    const cleaned = isGiven ? { text } : cleanHypothesis(text, question, options);
    if ('dropped' in cleaned) return cleaned;
    if (seen.has(cleaned.text)) return { dropped: 'duplicate' };
    return !isGiven && memory.stock.has(cleaned.text, question) ? { dropped: 'stock answer' } : cleaned;
  };
  return hypotheses.flatMap((hypothesis) => {
    const verdict = judge(hypothesis);
    if ('dropped' in verdict) {
      const { source, text } = hypothesis;
      run.log.hypotheses.push({ source, text: excerpt(text), used: false, dropped: verdict.dropped });
      return [];
    }
    seen.add(verdict.text);
    run.log.hypotheses.push({ source: hypothesis.source, text: excerpt(verdict.text), used: true });
    return [{ ...hypothesis, text: verdict.text }];
  });
}
