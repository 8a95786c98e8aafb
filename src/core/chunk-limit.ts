import { trimmed } from './chunk-split.js';
import { SurmiseError } from './errors.js';
import { indexText } from './index-text.js';
import type { Span } from './ports.js';
import { headThatFits } from './text-segments.js';
import { type CountTokens, checkedCount, estimateTokens } from './token-count.js';

/** Titles and headings, or the marks that a tokenizer adds, take no more than this of the limit from the words. */
const mostShare = 0.5;

export interface Limit {
  /** How many tokens a chunk may hold under these headings: the size, or what is left of the limit. */
  readonly room: (heading: readonly string[]) => number;
  /**
   * The chunk, changed where what is indexed of it has more tokens than the limit after all, as a tokenizer may make
   * more of a whole than of its parts: without its header, then without what stands before `own`, where the text begins
   * that the chunk before does not hold, then without outer headings, then in halves. What stays over the limit is a
   * single code point, or has a title of more than half of the limit, which is not counted.
   */
  readonly keep: (chunk: Span, own: number) => Span[];
}

/**
 * What the embedder's limit makes of chunks of a text.
 *
 * @param weigh see `tokenWeight`
 * @throws SurmiseError `provider_failed` when the marks alone take most of the limit
 */
export function limitOf(
  text: string,
  title: string,
  limit: number,
  size: number,
  weigh: CountTokens,
  count: CountTokens = estimateTokens,
): Limit {
  const counted = checkedCount(count);
  const marks = counted('');
  if (marks > limit * mostShare)
    throw new SurmiseError(
      'provider_failed',
      `The token counter answered ${marks} for an empty text, which leaves too little of a limit of ${limit} tokens.`,
      { fatal: true },
    );
  const words = limit - marks;
  const titleTokens = lineTokens(title, weigh);
  const countedTitle = counted(title) - marks <= words * mostShare ? title : '';
  const fits = ({ start, end, heading = [], header }: Span, most = limit) =>
    counted(indexText(countedTitle, heading, text.slice(start, end), header)) <= most;

  let last: { readonly heading: readonly string[]; readonly room: number } | undefined;
  const room = (heading: readonly string[]): number => {
    if (last?.heading === heading) return last.room;
    const titles = heading.reduce((sum, part) => sum + lineTokens(part, weigh), titleTokens);
    last = { heading, room: Math.min(size, words - Math.min(titles, words * mostShare)) };
    return last.room;
  };

  const halves = (chunk: Span): Span[] => {
    const slice = text.slice(chunk.start, chunk.end);
    if (fits(chunk) || slice.length === String.fromCodePoint(slice.codePointAt(0)!).length) return [chunk];
    const half = Math.floor(slice.length / 2);
    const middle = chunk.start + headThatFits(slice, half, (head) => head.length <= half);
    const parts = [trimmed(text, { ...chunk, end: middle }), trimmed(text, { ...chunk, start: middle })];
    return parts.flatMap((part) => (part === undefined ? [] : halves(part)));
  };

  const keep = (chunk: Span, own: number): Span[] => {
    if (fits(chunk)) return [chunk];
    const { end, header, ...bare } = chunk;
    if (header !== undefined && fits({ ...bare, end })) return [{ ...bare, end }];
    let { heading = [] } = chunk;
    if (!fits({ start: own, end, heading }))
      while (heading.length > 0 && !fits({ start: own, end: own, heading }, marks + words * mostShare))
        heading = heading.slice(1);
    return halves({ start: own, end, heading });
  };
  return { room, keep };
}

/** Tokens of a title or heading on a line of its own. */
function lineTokens(line: string, weigh: CountTokens): number {
  return line === '' ? 0 : weigh(`${line}\n`);
}
