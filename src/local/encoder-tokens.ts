/** Cuts and counts texts by the tokens of a model. */
export interface TokenWriter {
  /** At most the given number of tokens, the marks of beginning and end kept. */
  readonly cut: (text: string) => number[];
  /** Tokens of the whole text, marks included. */
  readonly count: (text: string) => number;
}

/** A tokenizer may fail on longer runs, since it hands their tokens over on the stack. */
const longestRun = 20_000;

/**
 * @param encode tokens of a text with the marks that the model wants around it
 * @param maxTokens marks included
 */
export function tokenWriter(encode: (text: string) => number[], maxTokens: number): TokenWriter {
  const { marks, before, after } = marksOf(encode);
  const inner = (text: string): number[] => {
    const found = encode(text);
    return found.slice(before, found.length - after);
  };

  const parts = (text: string): string[] => {
    const found: string[] = [];
    for (let start = 0; start < text.length; ) {
      const end = start + longestRun;
      // Tokens do not go across blanks, so a text cut at one has those of its parts.
      const blank = end < text.length ? text.lastIndexOf(' ', end) : -1;
      const to = blank > start ? blank : end;
      found.push(text.slice(start, to));
      start = to;
    }
    return found;
  };
  return {
    cut: (text) => {
      const room = Math.max(0, maxTokens - marks.length);
      const kept: number[] = [];
      for (const part of parts(text)) {
        for (const token of inner(part)) kept.push(token);
        if (kept.length >= room) break;
      }
      return [...marks.slice(0, before), ...kept.slice(0, room), ...marks.slice(before)];
    },
    count: (text) => parts(text).reduce((sum, part) => sum + inner(part).length, marks.length),
  };
}

/**
 * What a model wants around every text, and how much of it stands before and how much behind: a sample tells, since its
 * tokens stand where the text is.
 */
export function marksOf(encode: (text: string) => number[]) {
  const [marks, sample] = [encode(''), encode('a')];
  let before = 0;
  while (before < marks.length && marks[before] === sample[before]) before++;
  return { marks, sample, before, after: marks.length - before };
}

/**
 * Places in groups of similar length, shortest first, each of at most `most` tokens once padded to its longest, or of
 * one place.
 */
export function paddedBatches(
  places: readonly number[],
  lengthOf: (place: number) => number,
  most: number,
): number[][] {
  const batches: number[][] = [];
  let last: number[] = [];
  for (const place of [...places].sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)) {
    if (last.length === 0 || (last.length + 1) * lengthOf(place) > most) {
      last = [];
      batches.push(last);
    }
    last.push(place);
  }
  return batches;
}
