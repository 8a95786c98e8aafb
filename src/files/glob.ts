import { sep } from 'node:path';
import { reasonOf, SurmiseError } from '../core/errors.js';
import { ignoresCase } from './path-key.js';
import { compileWildcard } from './wildcard.js';

/** What names or paths below a folder look like. */
export interface Glob {
  /** As it was given. */
  readonly pattern: string;
  /** Whether the entry with these names on the way from the folder (NFC) is meant. */
  fits(names: readonly string[], folder: boolean): boolean;
  /** Whether something in the folder with these names may be; true in case of doubt. */
  mayHold(names: readonly string[]): boolean;
}

/** Whether a path that does not exist may be meant as a glob. */
export function looksLikeGlob(path: string): boolean {
  return /[*?]|\[.+\]|\{.+\}/s.test(path);
}

/**
 * A glob of `*`, `?`, `**`, `[a-z]`, `{a,b}` and, where it is no separator, the backslash before a character that
 * stands for itself. As in a `.gitignore`, one without a slash is about names at any depth, any other about paths from
 * the folder on, and one that ends in a slash about folders. Throws `bad_argument` for one that can not be understood.
 */
export function compileGlob(pattern: string, separator: string = sep): Glob {
  const written = (separator === '\\' ? pattern.replaceAll('\\', '/') : pattern).normalize('NFC');
  const folderOnly = written.endsWith('/');
  const body = written.replace(/^(?:\.\/+)+/, '/').replace(/\/+$/, '');
  const parts = body.split('/').filter((part) => part !== '');
  if (parts.length === 0) throw badGlob(pattern, 'it is empty');
  if (written.startsWith('!')) throw badGlob(pattern, 'it can not be negated; a .surmiseignore file can');
  if (parts.includes('..')) throw badGlob(pattern, 'it can not lead out of the folder with ".."');
  const fits = matcherOf(pattern, parts.join('/'));
  if (!body.includes('/'))
    return {
      pattern,
      fits: (names, folder) => (folder || !folderOnly) && fits(names.at(-1) ?? ''),
      mayHold: () => true,
    };
  // A brace or bracket may reach over a slash; its parts say nothing then.
  const steps = parts.every(isBalanced) ? parts.map((part) => stepOf(pattern, part)) : [undefined];
  return {
    pattern,
    fits: (names, folder) => (folder || !folderOnly) && fits(names.join('/')),
    mayHold(names) {
      for (const [at, name] of names.entries()) {
        if (at >= steps.length) return false;
        const step = steps[at];
        if (step === undefined) return true;
        if (!step(name)) return false;
      }
      return names.length < steps.length || steps.at(-1) === undefined;
    },
  };
}

/** Undefined for a part that stands for any number of names. */
function stepOf(pattern: string, part: string): ((name: string) => boolean) | undefined {
  return part.includes('**') ? undefined : matcherOf(pattern, part);
}

function matcherOf(pattern: string, path: string): (path: string) => boolean {
  try {
    return compileWildcard(path, { braces: true, tailFitsFolder: true, ignoresCase });
  } catch (error) {
    throw badGlob(pattern, reasonOf(error));
  }
}

function isBalanced(part: string): boolean {
  const count = (sign: string) => part.split(sign).length;
  return count('{') === count('}') && count('[') === count(']');
}

function badGlob(pattern: string, why: string): SurmiseError {
  const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
  return new SurmiseError('bad_argument', `The pattern "${shown}" can not be used: ${why}.`);
}
