import { throwIfAborted, withDeadline } from './deadline.js';
import { isSurmiseError, messageOf, SurmiseError } from './errors.js';
import type { Embedder, Fingerprint, Role } from './ports.js';

export interface EmbedOptions {
  readonly role: Role;
  readonly signal?: AbortSignal;
  /** For each call to the embedder. */
  readonly deadlineMs: number;
}

/** One string for equal embedding spaces, whatever the order in which the fields were written. */
export function fingerprintKey(fingerprint: Fingerprint): string {
  const { provider, model, dimensions, normalised, prefixes } = fingerprint;
  return JSON.stringify([provider, model, dimensions, normalised, prefixes?.query ?? '', prefixes?.document ?? '']);
}

/** `provider/model (dimensions)`, for people. */
export function describeFingerprint(fingerprint: Fingerprint): string {
  return `${fingerprint.provider}/${fingerprint.model} (${fingerprint.dimensions} dimensions)`;
}

/**
 * Embeds texts in batches that the embedder allows and checks what comes back: as many vectors as texts, each of the
 * promised dimension and finite. Order is the order of the texts.
 *
 * @throws SurmiseError `provider_failed`, `timeout`, `aborted`
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array[]> {
  const { provider, dimensions } = embedder.fingerprint;
  const size = embedder.limits.batch;
  if (!Number.isInteger(size) || size < 1)
    throw new SurmiseError('provider_failed', `${provider} allows ${size} texts in one call; it must allow 1 or more.`);
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += size) {
    throwIfAborted(options.signal);
    const batch = texts.slice(from, from + size);
    const answer = await withDeadline(`Embedding with ${provider}`, options.deadlineMs, options.signal, (signal) =>
      embedder.embed(batch, { role: options.role, signal }),
    ).catch((error: unknown) => {
      if (isSurmiseError(error)) throw error;
      throw new SurmiseError('provider_failed', `Embedding with ${provider} failed: ${messageOf(error)}`, {
        cause: error,
      });
    });
    if (!Array.isArray(answer) || answer.length !== batch.length)
      throw new SurmiseError(
        'provider_failed',
        `${provider} answered ${answer?.length ?? 'no'} vectors for ${batch.length} texts.`,
      );
    for (const vector of answer) {
      // By its name, so that arrays made in another realm (a worker, a test runner) pass.
      if (Object.prototype.toString.call(vector) !== '[object Float32Array]')
        throw new SurmiseError('provider_failed', `${provider} answered something that is not a Float32Array.`);
      if (vector.length !== dimensions)
        throw new SurmiseError(
          'provider_failed',
          `${provider} answered a vector of ${vector.length} dimensions where ${dimensions} were promised.`,
        );
      if (!vector.every(Number.isFinite))
        throw new SurmiseError(
          'provider_failed',
          `${provider} answered a vector with values that are not finite numbers.`,
        );
      vectors.push(vector);
    }
  }
  return vectors;
}
