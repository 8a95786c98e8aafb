const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^\x20-\x7e\x80-\uffff]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

export interface BracketTest {
  readonly test: (code: number) => boolean;
  /** The place after the closing bracket. */
  readonly end: number;
}

/**
 * What `[…]` fits, as POSIX and git have it: `!` or `^` in front negates, a bracket in front is one of the characters,
 * and a slash is never fitted. Undefined for one that is not closed. Throws an `Error` for a range that is upside down and
 * for a class that is not known.
 */
export function bracketTest(signs: readonly string[], from: number, to: number): BracketTest | undefined {
  let at = from + 1;
  const negated = signs[at] === '!' || signs[at] === '^';
  if (negated) at++;
  const first = at;
  const ranges: (readonly [number, number])[] = [];
  const named: RegExp[] = [];
  for (; at < to; at++) {
    if (signs[at] === ']' && at > first) {
      const fits = (code: number) =>
        ranges.some(([low, high]) => code >= low && code <= high) ||
        named.some((name) => name.test(String.fromCodePoint(code)));
      return { test: (code) => code !== 0x2f && fits(code) !== negated, end: at + 1 };
    }
    if (signs[at] === '/') return undefined;
    if (signs[at] === '[' && signs[at + 1] === ':') {
      const [, name] = /^\[:([a-z]+):\]/.exec(signs.slice(at, at + 12).join('')) ?? [];
      if (name !== undefined) {
        const known = Object.hasOwn(classes, name) ? classes[name] : undefined;
        if (known === undefined) throw new Error(`the class [:${name}:] is not known`);
        named.push(known);
        at += name.length + 3;
        continue;
      }
    }
    const low = member();
    if (signs[at + 1] !== '-' || at + 2 >= to || signs[at + 2] === ']') {
      ranges.push([low, low]);
      continue;
    }
    at += 2;
    const high = member();
    if (high < low) throw new Error('a range in brackets is upside down');
    ranges.push([low, high]);
  }
  return undefined;

  /** The character here, or the one after a backslash. */
  function member(): number {
    if (signs[at] === '\\' && at + 1 < to) at++;
    return signs[at]!.codePointAt(0)!;
  }
}
