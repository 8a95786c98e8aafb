import { join } from 'node:path';
import ignore from 'ignore';
import { messageOf } from '../core/errors.js';
import { ignoresCase } from './path-key.js';
import { readUpTo } from './read-up-to.js';
import { systemCode } from './system-error.js';
import { isWildRule, type RuleMatcher, wildRule } from './wild-rule.js';

/** Later files overrule earlier ones, as git has it for the first two, and ripgrep for the third. */
const ruleFiles = ['.git/info/exclude', '.gitignore', '.ignore', '.surmiseignore'];

/** Whether a file of this name holds ignore rules. */
export function isRuleFile(name: string): boolean {
  return ruleFiles.includes(name);
}

const maxRuleBytes = 1_000_000;
/** UTF-16 units of the lines with many stars in one file; each entry of the folder is compared with all of them. */
const maxWild = 20_000;

/** The rules of one folder and of those around it, up to the root of the walk. */
export interface IgnoreRules {
  readonly parent: IgnoreRules | undefined;
  readonly matcher: RuleMatcher;
  /** Segments from the root to the folder whose rules these are. */
  readonly depth: number;
}

/**
 * The rules that hold in a folder: its own files on top of the parent's. `names` are the entries of the folder, so that
 * nothing is opened in vain. Throws, naming the file, when one of them can not be used: what it hides is not known then.
 */
export async function rulesOf(
  folder: string,
  names: ReadonlySet<string>,
  depth: number,
  parent: IgnoreRules | undefined,
): Promise<IgnoreRules | undefined> {
  let rules = parent;
  for (const file of ruleFiles) {
    if (!names.has(file.split('/')[0]!)) continue;
    try {
      const bytes = await readUpTo(join(folder, file), maxRuleBytes + 1);
      if (bytes.length > maxRuleBytes) throw new Error(`it is larger than ${maxRuleBytes} bytes`);
      // The names are NFC as well: which form an editor writes must not decide what is hidden.
      const text = new TextDecoder().decode(bytes).normalize('NFC');
      for (const matcher of matchersOf(text)) rules = { parent: rules, matcher, depth };
    } catch (error) {
      // In most repositories, worktrees and submodules there is no info/exclude.
      if (file === ruleFiles[0] && isMissing(error)) continue;
      throw new Error(`the rules in its ${file} can not be used: ${messageOf(error)}`, { cause: error });
    }
  }
  return rules;
}

/** Later ones overrule earlier ones. The lines that the library would take long for stand alone. */
function matchersOf(text: string): RuleMatcher[] {
  const matchers: RuleMatcher[] = [];
  let plain: string[] = [];
  let wild = 0;
  const close = () => {
    if (plain.some((line) => line.trim() !== '')) matchers.push(ignore({ ignorecase: ignoresCase }).add(plain));
    plain = [];
  };
  for (const line of text.split(/\r?\n/)) {
    if (!isWildRule(line)) {
      plain.push(line);
      continue;
    }
    close();
    wild += line.length;
    if (wild > maxWild) throw new Error(`its lines with many stars have more than ${maxWild} characters`);
    matchers.push(wildRule(line));
  }
  close();
  return matchers;
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}

/**
 * Whether the rules leave an entry out. `segments` (NFC) lead from the root of the walk to it. The innermost file that has
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
