import { checkEmbedder } from './check-embedder.js';
import { coolDown, searchRetries } from './cool-down.js';
import { withDeadline } from './deadline.js';
import { embedBatches } from './embed-batches.js';
import { isSurmiseError, messageOf, SurmiseError } from './errors.js';
import { inParallel } from './in-parallel.js';
import type { Embedder, Fingerprint, Role } from './ports.js';

export interface EmbedOptions {
  readonly role: Role;
  readonly signal?: AbortSignal;
  /** For all of the texts with retries, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Embeds texts in batches that the embedder allows, as many at a time as it says, and checks what comes back. Order is
 * the order of the texts. What may pass is tried again, a few times and quickly: somebody waits for the answer.
 *
 * @throws SurmiseError `provider_failed`, `timeout`, `aborted`, `bad_argument` for an embedder that is malformed
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  { role, signal, deadlineMs }: EmbedOptions,
): Promise<Float32Array[]> {
  checkEmbedder(embedder);
  const batches = embedBatches(embedder, texts, role);
  const calls = coolDown(searchRetries);
  return withDeadline(whatOf(embedder), deadlineMs, signal, async (inner) => {
    const answers = await inParallel(batches.length, embedder.limits.concurrency ?? 1, (index) => {
      const { from, to } = batches[index]!;
      return calls.run(() => callEmbedder(embedder, texts.slice(from, to), role, inner), inner);
    });
    return answers.flat();
  });
}

/**
 * One call within a deadline, which is not tried again.
 *
 * @throws SurmiseError `provider_failed`, `timeout`, `aborted`
 */
export function embedOnce(
  embedder: Embedder,
  texts: readonly string[],
  { role, signal, deadlineMs }: EmbedOptions,
): Promise<Float32Array[]> {
  return withDeadline(whatOf(embedder), deadlineMs, signal, (inner) => callEmbedder(embedder, texts, role, inner));
}

/** As many vectors as texts, each of the promised dimension and finite, or an error of ours. */
async function callEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  role: Role,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  let answer: unknown;
  try {
    // A copy: the embedder may change the list that it is given, and may be asked again.
    answer = await embedder.embed([...texts], { role, signal });
  } catch (error) {
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError('provider_failed', `${whatOf(embedder)} failed: ${messageOf(error)}`, { cause: error });
  }
  checkVectors(embedder.fingerprint, answer, texts.length);
  return answer;
}

function checkVectors(
  { provider, dimensions }: Fingerprint,
  answer: unknown,
  count: number,
): asserts answer is Float32Array[] {
  const unusable = (what: string) => {
    throw new SurmiseError('provider_failed', `${provider} answered ${what}.`);
  };
  if (!Array.isArray(answer)) unusable(`no vectors for ${count} texts`);
  const vectors = answer as Float32Array[];
  if (vectors.length !== count) unusable(`${vectors.length} vectors for ${count} texts`);
  for (const vector of vectors) {
    // By its name, so that arrays made in another realm (a worker, a test runner) pass.
    if (Object.prototype.toString.call(vector) !== '[object Float32Array]')
      unusable('something that is not a Float32Array');
    if (vector.length !== dimensions)
      unusable(`a vector of ${vector.length} dimensions where ${dimensions} were promised`);
    if (!vector.every(Number.isFinite)) unusable('a vector with values that are not finite numbers');
  }
}

function whatOf({ fingerprint }: Embedder): string {
  return `Embedding with ${fingerprint.provider}`;
}
