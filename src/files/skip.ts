/** Why something that was found is not indexed; the sentence is for people. */
export const skipReasons = {
  hidden: 'The name starts with a dot.',
  ignored: 'A .gitignore, .ignore, .surmiseignore or .git/info/exclude names it.',
  excluded: 'It is excluded, or not among what is included.',
  vendored: 'The folder holds packages of others or the output of a build.',
  worktree: 'The folder is a further checkout (git worktree) of a repository.',
  link: 'Symbolic links inside a folder are not followed unless asked for, and each target once.',
  special: 'It is neither a file nor a folder.',
  size: 'The file is larger than the limit.',
  unreadable: 'It can not be read.',
  format: 'This kind of file is not read.',
  generated: 'A tool wrote it: a lock file, minified code, a source map, or much JSON.',
  binary: 'The file holds no text.',
  damaged: 'The file is not what its name says, or is damaged.',
  encrypted: 'The file is protected by a password.',
  empty: 'There is nothing in the file but white space.',
  duplicate: 'Another document before it has the same id.',
  elsewhere: 'It is in the index already, in another collection or in none.',
} as const satisfies Record<string, string>;

export type SkipReason = keyof typeof skipReasons;

/** A file, or a folder with all that is in it, that is left out. */
export interface Skip {
  readonly path: string;
  readonly reason: SkipReason;
  /** What is special here: a size, a rule file, the message of the system. */
  readonly detail: string;
}
