import { cut } from './chunk-split.js';
import { indexText } from './index-text.js';
import type { Span } from './ports.js';
import { type CountTokens, estimateTokens, tokenWeight } from './token-count.js';

/** Titles and headings take no more than this of the limit from the words of a chunk. */
export const mostTitles = 0.5;

/**
 * The chunk, changed where what is indexed of it has more tokens than the limit after all, as a tokenizer may make more
 * of a whole than of its parts: without its header, then without outer headings, then in parts. What stays over the
 * limit is a single code point, or has a title of more than half of the limit, which is not counted.
 */
export function limited(
  text: string,
  chunk: Span,
  limit: number,
  count: CountTokens = estimateTokens,
  title = '',
): Span[] {
  const { start, end, heading = [], header } = chunk;
  const slice = text.slice(start, end);
  const counted = count(title) <= limit * mostTitles ? title : '';
  if (count(indexText(counted, heading, slice, header)) <= limit) return [chunk];
  if (header !== undefined) return limited(text, { start, end, heading }, limit, count, title);
  if (heading.length > 0 && count(indexText(counted, heading, '')) > limit * mostTitles)
    return limited(text, { start, end, heading: heading.slice(1) }, limit, count, title);
  if (slice.length === 1 || (slice.length === 2 && slice.codePointAt(0)! > 0xffff)) return [chunk];
  const weigh = tokenWeight(count);
  const whole = { start, end, heading, prose: true, tokens: weigh(slice) };
  return [...cut(text, whole, weigh, whole.tokens / 2)].flatMap((part) =>
    limited(text, { start: part.start, end: part.end, heading }, limit, count, title),
  );
}
