import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { messageOf } from '../core/errors.js';

/** Later files overrule earlier ones, as git has it for the first two. */
const ruleFiles = ['.git/info/exclude', '.gitignore', '.surmiseignore'];

const maxRuleBytes = 1_000_000;

/** Names are compared as the usual file systems of the platform do. */
const ignorecase = process.platform === 'win32' || process.platform === 'darwin';

/** The rules of one folder and of those around it, up to the root of the walk. */
export interface IgnoreRules {
  readonly parent: IgnoreRules | undefined;
  readonly matcher: Ignore;
  /** Segments from the root to the folder whose rules these are. */
  readonly depth: number;
}

/**
 * The rules that hold in a folder: its own files on top of the parent's. `names` are the entries of the folder, so that
 * nothing is opened in vain; a rule file that can not be used is reported and left out.
 */
export async function rulesOf(
  folder: string,
  names: ReadonlySet<string>,
  depth: number,
  parent: IgnoreRules | undefined,
  onError: (file: string, detail: string) => void,
): Promise<IgnoreRules | undefined> {
  const matcher = ignore({ ignorecase });
  let any = false;
  for (const file of ruleFiles) {
    if (!names.has(file.split('/')[0]!)) continue;
    const path = join(folder, file);
    try {
      const { size } = await stat(path);
      if (size > maxRuleBytes) throw new Error(`larger than ${maxRuleBytes} bytes`);
      matcher.add(await readFile(path, 'utf8'));
      any = true;
    } catch (error) {
      // In most repositories, worktrees and submodules there is no info/exclude.
      if (file !== ruleFiles[0]) onError(path, `its rules are not used: ${messageOf(error)}`);
    }
  }
  return any ? { parent, matcher, depth } : parent;
}

/**
 * Whether the rules leave an entry out. `segments` lead from the root of the walk to it. The innermost file that has
 * something to say decides, so that `!name` in a sub-folder brings back what an outer file ignores.
 */
export function isIgnored(rules: IgnoreRules | undefined, segments: readonly string[], folder: boolean): boolean {
  for (let level = rules; level !== undefined; level = level.parent) {
    const { ignored, unignored } = level.matcher.test(segments.slice(level.depth).join('/') + (folder ? '/' : ''));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
