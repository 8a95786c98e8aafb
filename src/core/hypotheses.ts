import { withDeadline } from './deadline.js';
import { reasonOf, SurmiseError } from './errors.js';
import type { Fused } from './fusion.js';
import { cleanHypothesis, type Hypothesis } from './hypothesis.js';
import type { Generation } from './ports.js';
import { hypothesisPrompt } from './prompt.js';
import type { SearchRun } from './run.js';

/** Passages that feedback may choose from. */
const feedbackPool = 10;
/** UTF-16 units of a passage that feedback uses. */
const maxPassage = 100_000;
/** UTF-16 units of a hypothesis that the trace shows. */
const maxShown = 2_000;

/**
 * The hypotheses of a search: the caller's as given, else generated ones where the gate is open. Never rejects: a
 * generator that fails, hangs or babbles leaves the plain legs, and the trace says so. What came before the deadline
 * is used.
 */
export async function gatherHypotheses(run: SearchRun, signal: AbortSignal): Promise<Hypothesis[]> {
  const { generator, question, settings, log } = run;
  if (settings.hyde === 'off') return [];
  if (settings.hypotheses !== undefined)
    return accept(
      run,
      settings.hypotheses.map((text) => ({ text: text.trim(), source: 'caller' }) as const),
    );
  if (generator === undefined || !log.gate.open) return [];
  const received: Generation[] = [];
  const started = performance.now();
  let kept: readonly Generation[] = received;
  try {
    const all = await withDeadline('Writing hypotheses', settings.deadlineMs, signal, (inner) =>
      generator.generate(hypothesisPrompt(question), {
        n: settings.n,
        signal: inner,
        onGeneration: (generation) => {
          if (received.length < settings.n) received.push(generation);
        },
      }),
    );
    if (!Array.isArray(all) || all.length === 0) throw new SurmiseError('provider_failed', 'no hypotheses came back');
    kept = all.slice(0, settings.n);
  } catch (error) {
    log.degraded.push({ part: 'generator', reason: reasonOf(error) });
  }
  try {
    const ms = performance.now() - started;
    log.generator = { id: String(generator.id), wanted: settings.n, received: kept.length, ms };
    const passages = kept.filter(isGeneration).map((generation) => ({ ...generation, source: 'generator' }) as const);
    const hypotheses = accept(run, passages);
    if (hypotheses.length === 0 && kept.length > 0)
      log.degraded.push({ part: 'generator', reason: 'none of the hypotheses could be used' });
    return hypotheses;
  } catch (error) {
    // What foreign code hands over may throw when it is looked at.
    log.degraded.push({ part: 'generator', reason: reasonOf(error) });
    return [];
  }
}

/** The best passages of a list, as the feedback generator picks them. */
export async function feedbackHypotheses(run: SearchRun, list: readonly Fused[]): Promise<Hypothesis[]> {
  const { feedback, store, question, settings, log } = run;
  if (feedback === undefined || !settings.feedback || !log.gate.open || list.length === 0) return [];
  try {
    const ids = list.slice(0, feedbackPool).map(({ id }) => id);
    const passages = await store.get(ids, { vectors: run.mode !== 'lexical' });
    const generations = await withDeadline('Feedback', settings.deadlineMs, settings.signal, (signal) =>
      feedback.generate(hypothesisPrompt(question, passages), { n: passages.length, signal }),
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
  return hypotheses.flatMap((hypothesis) => {
    const cleaned =
      hypothesis.source === 'caller' && hypothesis.text !== ''
        ? { text: hypothesis.text }
        : cleanHypothesis(hypothesis.text, run.question);
    const verdict = 'text' in cleaned && seen.has(cleaned.text) ? ({ dropped: 'duplicate' } as const) : cleaned;
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
