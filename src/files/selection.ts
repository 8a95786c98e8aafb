import { compileGlob, type Glob } from './glob.js';

/** One of the globs has to fit an entry, or a folder on the way to it. */
export interface Requirement {
  readonly globs: readonly Glob[];
  /** Said of what does not fulfil it; left out where nothing is to be said. */
  readonly detail?: string;
}

/** What of the entries below a root is wanted. */
export interface Selection {
  readonly requirements: readonly Requirement[];
  readonly exclude: readonly Glob[];
}

export const everything: Selection = { requirements: [], exclude: [] };

/** Throws `bad_argument` for a glob that can not be understood. An empty list includes everything. */
export function selectionOf(include: readonly string[] = [], exclude: readonly string[] = []): Selection {
  const globs = include.map((pattern) => compileGlob(pattern));
  return {
    requirements: globs.length === 0 ? [] : [{ globs, detail: `not among what is included: ${include.join(', ')}` }],
    exclude: exclude.map((pattern) => compileGlob(pattern)),
  };
}

/** The pattern that excludes an entry. */
export function excludes({ exclude }: Selection, names: readonly string[], folder: boolean): string | undefined {
  return exclude.find((glob) => glob.fits(names, folder))?.pattern;
}

/**
 * What is still required of the entries in an entry, when `open` is required of it; else the requirement that it, and
 * everything in it, does not fulfil.
 */
export function stillOpen(
  open: readonly Requirement[],
  names: readonly string[],
  folder: boolean,
): { readonly open: readonly Requirement[] } | { readonly missed: Requirement } {
  const left = open.filter(({ globs }) => !globs.some((glob) => glob.fits(names, folder)));
  const missed = left.find(({ globs }) => !(folder && globs.some((glob) => glob.mayHold(names))));
  return missed === undefined ? { open: left } : { missed };
}
