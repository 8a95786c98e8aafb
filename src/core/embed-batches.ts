import type { Embedder, Role } from './ports.js';
import { checkedCount, estimateTokens } from './token-count.js';

/** An estimate may be too low; limits of a call are kept as if it always were. */
const margin = 1.25;

/** The texts `from` to `to` (exclusive) of a list. */
export interface Batch {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts texts into calls that keep the embedder's limits of texts, tokens and UTF-8 bytes, prefixes counted. Batches
 * are in order and together hold every text once. A text that exceeds a limit by itself is alone in its batch. The
 * limits are those of an embedder that `checkEmbedder` has passed.
 */
export function embedBatches(embedder: Embedder, texts: readonly string[], role: Role): Batch[] {
  const { batch, callTokens = Infinity, callBytes = Infinity } = embedder.limits;
  const prefix = embedder.fingerprint.prefixes?.[role] ?? '';
  const tokensOf = callTokens === Infinity ? () => 0 : tokensForLimits(embedder);
  const bytesOf = callBytes === Infinity ? () => 0 : utf8Bytes;

  const batches: Batch[] = [];
  let from = 0;
  let tokens = 0;
  let bytes = 0;
  texts.forEach((text, at) => {
    const whole = prefix + text;
    const more = { tokens: tokensOf(whole), bytes: bytesOf(whole) };
    const full = at - from >= batch || tokens + more.tokens > callTokens || bytes + more.bytes > callBytes;
    if (full && at > from) {
      batches.push({ from, to: at });
      from = at;
      tokens = 0;
      bytes = 0;
    }
    tokens += more.tokens;
    bytes += more.bytes;
  });
  if (from < texts.length) batches.push({ from, to: texts.length });
  return batches;
}

function tokensForLimits(embedder: Embedder): (text: string) => number {
  return embedder.countTokens === undefined
    ? (text) => margin * estimateTokens(text)
    : checkedCount((text) => embedder.countTokens!(text));
}

/** Half of a surrogate pair counts as the U+FFFD that is sent for it, so a pair counts two bytes too many. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}
