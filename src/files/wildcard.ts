import { bracketTest } from './wildcard-bracket.js';

/** In UTF-16 units; the time for a name grows with both lengths. */
const longest = 1_000;

export interface WildcardOptions {
  /** Whether `{a,b}` means one of these. In ignore files it does not. */
  readonly braces: boolean;
  /** Whether `a/**` fits `a` itself. In ignore files it does not. */
  readonly tailFitsFolder: boolean;
  readonly ignoresCase: boolean;
}

/** What one step of a pattern takes of a path; those with `to` take nothing and go on in each of these places. */
type Step =
  | { readonly takes: (code: number) => boolean }
  /** Where to go on, by index; none at the end of the pattern. */
  | { readonly to: number[] };

const slash = 0x2f;
const isAny = () => true;
const isInName = (code: number) => code !== slash;

/**
 * A test for paths with slashes, from a pattern of `*`, `?`, `[a-z]`, `**` between slashes and, when asked for, `{a,b}`.
 * All ways to fit are followed at once (the method of Thompson, 1968), so the time is at most the product of the lengths:
 * a regular expression tries them one after the other, and several stars take it years. Throws an `Error` that says why
 * a pattern can not be understood.
 */
export function compileWildcard(pattern: string, options: WildcardOptions): (path: string) => boolean {
  if (pattern.length > longest) throw new Error(`it is longer than ${longest} characters`);
  const fold = (text: string) => (options.ignoresCase ? text.toLowerCase() : text);
  const once = pattern.replace(/(?<=^|\/)(?:\*{2,}\/)+(?=\*{2,}(?:\/|$))/g, '');
  // Folded, there is no upper case left.
  const written = options.ignoresCase ? once.replaceAll('[:upper:]', '[:lower:]') : once;
  const steps = stepsFor([...fold(written)], options);
  // Of every step the last character at which it was reached.
  const reached = new Int32Array(steps.length);
  return (path) => {
    reached.fill(-1);
    let at = 0;
    let alive = closure([0], at);
    for (const sign of fold(path)) {
      const code = sign.codePointAt(0)!;
      at++;
      const next: number[] = [];
      for (const index of alive) {
        const step = steps[index]!;
        if ('takes' in step && step.takes(code)) next.push(index + 1);
      }
      alive = closure(next, at);
      if (alive.length === 0) return false;
    }
    return alive.includes(steps.length - 1);
  };

  /** The steps that can be reached without taking anything. */
  function closure(from: number[], at: number): number[] {
    const found: number[] = [];
    const pending = from;
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (reached[index] === at) continue;
      reached[index] = at;
      const step = steps[index]!;
      if ('takes' in step || step.to.length === 0) found.push(index);
      else pending.push(...step.to);
    }
    return found;
  }
}

function stepsFor(signs: readonly string[], { braces, tailFitsFolder }: WildcardOptions): Step[] {
  const steps: Step[] = [];
  const take = (takes: (code: number) => boolean) => steps.push({ takes });
  const goTo = (...to: number[]) => {
    const step = { to };
    steps.push(step);
    return step;
  };
  /** Any number of what is taken. */
  const repeat = (takes: (code: number) => boolean) => {
    const start = steps.length;
    goTo(start + 1, start + 3);
    take(takes);
    goTo(start);
  };
  const tail = signs.join('').endsWith('/**') && signs.at(-4) !== '\\' && signs.length > 3;
  const end = tail ? signs.length - 3 : signs.length;
  sequence(0, end, true);
  if (tail) {
    const start = steps.length;
    // Without the folder itself, something has to follow the slash.
    goTo(start + 1, ...(tailFitsFolder ? [start + 6] : []));
    take((code) => code === slash);
    take(isAny);
    repeat(isAny);
  }
  goTo();
  return steps;

  /** The steps of `signs.slice(from, to)`; `fresh` where a name begins. */
  function sequence(from: number, to: number, fresh: boolean): void {
    let begins = fresh;
    for (let at = from; at < to; ) {
      const sign = signs[at]!;
      const began: boolean = begins;
      begins = sign === '/';
      if (sign === '*') at = stars(at, to, began);
      else if (sign === '?') {
        take(isInName);
        at++;
      } else if (sign === '[') at = bracket(at, to);
      else if (sign === '{' && braces) at = brace(at, to, began);
      else {
        if (sign === '\\' && at + 1 < to) at++;
        const code = signs[at]!.codePointAt(0)!;
        take((given) => given === code);
        at++;
      }
      // Two stars take the slash after them.
      if (sign === '*' && signs[at - 1] === '/') begins = true;
    }
  }

  /** Two stars that stand alone between slashes reach over any number of names, with the slash after them. */
  function stars(from: number, to: number, fresh: boolean): number {
    let at = from;
    while (at < to && signs[at] === '*') at++;
    const alone = fresh && at - from > 1 && (at === to || signs[at] === '/');
    if (!alone) repeat(isInName);
    else if (at === to) repeat(isAny);
    else {
      const start = steps.length;
      goTo(start + 1, start + 7);
      take(isInName);
      repeat(isInName);
      take((code) => code === slash);
      goTo(start);
      at++;
    }
    return at;
  }

  function bracket(from: number, to: number): number {
    const found = bracketTest(signs, from, to);
    if (found === undefined) {
      take((code) => code === 0x5b);
      return from + 1;
    }
    take(found.test);
    return found.end;
  }

  function brace(from: number, to: number, fresh: boolean): number {
    const { cuts, end: close } = braceParts(signs, from, to);
    if (cuts.length === 2) {
      const inner = signs.slice(from + 1, close).join('');
      if (inner.includes('..')) throw new Error('ranges are not known; list the names as in {1,2,3}');
      // Braces around one name are part of the name.
      take((code) => code === 0x7b);
      sequence(from + 1, close, false);
      take((code) => code === 0x7d);
      return close + 1;
    }
    const fork = goTo();
    const exits: { readonly to: number[] }[] = [];
    for (let part = 0; part + 1 < cuts.length; part++) {
      fork.to.push(steps.length);
      sequence(cuts[part]! + 1, cuts[part + 1]!, fresh);
      exits.push(goTo());
    }
    for (const exit of exits) exit.to.push(steps.length);
    return close + 1;
  }
}

/** Where the commas of a brace are, with the brace's own places around them. */
function braceParts(signs: readonly string[], from: number, to: number): { cuts: number[]; end: number } {
  const cuts = [from];
  let depth = 0;
  for (let at = from; at < to; at++) {
    const sign = signs[at];
    if (sign === '\\') at++;
    else if (sign === '[') at = (bracketTest(signs, at, to)?.end ?? at + 1) - 1;
    else if (sign === '{') depth++;
    else if (sign === ',' && depth === 1) cuts.push(at);
    else if (sign === '}' && --depth === 0) return { cuts: [...cuts, at], end: at };
  }
  throw new Error('a brace is not closed');
}
