import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SurmiseError } from '../core/index.js';
import { configPathIn, userConfigFolder } from './config-file.js';
import { indexPath } from './index-path.js';
import { settings } from './settings.js';

export interface InitCommandOptions {
  readonly index?: string;
  readonly embedder?: string;
  readonly hyde?: string;
  /** For all of the user's searches instead of this folder's. */
  readonly user?: boolean;
  /** Do not ask. */
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What goes into the file; what is not there is left to the defaults. */
type Answers = Pick<InitCommandOptions, 'index' | 'embedder' | 'hyde'>;

/**
 * Writes a configuration file after a few questions, or from the options alone with `--yes`, `--json` and where nobody can
 * answer. `--json` prints `{path}`.
 *
 * @throws SurmiseError `bad_argument` when there is one, `aborted`, `storage_failed`
 */
export async function initCommand(options: InitCommandOptions): Promise<void> {
  const { user = false, yes = false, json = false } = options;
  const folder = user ? userConfigFolder() : process.cwd();
  const existing = configPathIn(folder);
  if (existing !== undefined)
    throw new SurmiseError(
      'bad_argument',
      `There is a configuration already: ${existing}. Change it, or remove it first.`,
    );
  const asks = !yes && !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const { index, embedder, hyde } = asks ? await ask(options) : options;
  const content = {
    ...(index !== undefined && { index: indexPath(index) }),
    ...(embedder !== undefined && { embedder: { provider: providerIn(embedder) } }),
    ...(hyde !== undefined && { search: { hyde } }),
  };
  const path = join(folder, 'surmise.config.json');
  try {
    await mkdir(folder, { recursive: true });
    // wx: another process may have written one meanwhile.
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    throw new SurmiseError('storage_failed', `${path} can not be written.`, { cause: error });
  }
  console.log(json ? JSON.stringify({ path }) : `Written: ${path}\nsurmise config shows every setting.`);
}

/** As it stands in a file, wherever that is. */
function providerIn(embedder: string): string {
  if (embedder.trim() === '') throw new SurmiseError('bad_argument', 'The name of the embedder is empty.');
  return settings['embedder.provider'].isPath?.(embedder) ? resolve(embedder) : embedder;
}

async function ask(given: Answers): Promise<Answers> {
  const { cancel, isCancel, select, text } = await import('@clack/prompts');
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (!isCancel(answer)) return answer as Exclude<T, symbol>;
    cancel('Nothing was written.');
    throw new SurmiseError('aborted', 'Cancelled.');
  };
  const index = answered(
    await text({
      message: 'Where is the index? (empty: the nearest .surmise/index.db, else one in your data folder)',
      initialValue: given.index ?? '',
    }),
  ).trim();
  const named = given.embedder !== undefined && !['static', 'none'].includes(given.embedder) ? [given.embedder] : [];
  const embedder = answered(
    await select({
      message: 'What makes vectors?',
      initialValue: given.embedder ?? 'static',
      options: [
        ...named.map((value) => ({ value, label: value })),
        { value: 'static', label: 'static', hint: 'built in, English, no network' },
        { value: 'none', label: 'none', hint: 'search words only' },
      ],
    }),
  );
  const hyde = answered(
    await select({
      message: 'Search with hypotheses too?',
      initialValue: given.hyde ?? 'auto',
      options: [
        { value: 'auto', label: 'auto', hint: 'where they are likely to help' },
        { value: 'on', label: 'on' },
        { value: 'off', label: 'off' },
      ],
    }),
  );
  return { ...(index !== '' && { index }), embedder, hyde };
}
