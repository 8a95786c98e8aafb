import { isSurmiseError, reasonOf, SurmiseError } from './errors.js';
import { fingerprintKey } from './fingerprint.js';
import type { Role } from './ports.js';
import { remainingMs, type SearchRun } from './run.js';

/** An embedder that had less time than this and was not done in it has not failed. */
const fairMs = 1_000;

/**
 * Embeds what earlier searches have not, within what is left of the search's time.
 *
 * @throws SurmiseError `provider_failed`, also at once where the embedder is left alone for a while, `timeout`, `aborted`
 */
export async function embedRemembered(run: SearchRun, texts: readonly string[], role: Role): Promise<Float32Array[]> {
  const { memory, embedder, log } = run;
  // The embedder may be replaced while it is in use.
  const space = fingerprintKey(embedder!.fingerprint);
  const keyOf = (text: string) => `${space} ${role} ${text}`;
  const known = new Map<string, Float32Array>();
  const note = (text: string, vector: Float32Array) => {
    known.set(text, vector);
    // An embedder may hand over a window on memory that it uses again.
    memory.vectors.set(keyOf(text), vector.slice());
  };
  for (const text of texts) {
    const vector = memory.vectors.get(keyOf(text));
    if (vector !== undefined) known.set(text, vector);
  }
  const missing = () => [...new Set(texts)].filter((text) => !known.has(text));
  const unkept = (error: unknown) => {
    const reason = reasonOf(error);
    if (!log.degraded.some((other) => other.part === 'cache' && other.reason === reason))
      log.degraded.push({ part: 'cache', reason });
  };
  const { vectorCache } = memory;
  const leftMs = () => remainingMs(run);
  const kept =
    vectorCache && (await import('./model-cache.js')).keptVectors(vectorCache, embedder!.fingerprint, leftMs);
  const unknown = missing();
  const found = await kept?.find(unknown, role).catch(unkept);
  found?.forEach((vector, at) => {
    if (vector !== undefined) note(unknown[at]!, vector);
  });
  const asked = missing();
  if (asked.length > 0) {
    const vectors = await embedGuarded(run, asked, role);
    asked.forEach((text, at) => {
      note(text, vectors[at]!);
    });
    await kept?.keep(asked, vectors, role).catch(unkept);
  }
  return texts.map((text) => known.get(text)!);
}

/** Leaves an embedder alone that has failed several searches in a row; one that refuses a text has not failed. */
async function embedGuarded(run: SearchRun, texts: readonly string[], role: Role): Promise<Float32Array[]> {
  const embedder = run.embedder!;
  const breaker = run.memory.embedderBreaker(embedder);
  const { signal } = run.settings;
  const deadlineMs = remainingMs(run);
  const attempt = breaker.attempt();
  if (attempt === undefined) {
    const seconds = Math.max(1, Math.ceil(breaker.waitMs() / 1_000));
    const what = `Embedding with ${embedder.fingerprint.provider} failed several times in a row`;
    throw new SurmiseError('provider_failed', `${what} and is left alone; it is tried again in ${seconds} s.`);
  }
  try {
    // Loaded with the first text: a search of words does without.
    const { embedTexts } = await import('./embed.js');
    const vectors = await embedTexts(embedder, texts, { role, deadlineMs, ...(signal && { signal }) });
    attempt.succeeded();
    return vectors;
  } catch (error) {
    const late = isSurmiseError(error) && error.code === 'timeout' && deadlineMs >= fairMs;
    const down = isSurmiseError(error) && error.code === 'provider_failed' && (error.retryable || error.fatal);
    if (late || down) attempt.failed();
    else attempt.cancelled();
    throw error;
  }
}
