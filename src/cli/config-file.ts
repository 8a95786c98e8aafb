import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { messageOf, SurmiseError } from '../core/errors.js';

/** In order of precedence within a folder. Those that hold no code come first. */
const fileNames = ['json', 'jsonc', 'yaml', 'yml', 'toml', 'ts', 'mts', 'js', 'mjs', 'cjs'].map(
  (extension) => `surmise.config.${extension}`,
);

/** What a configuration file says, as it stands there. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The folder with the user's own `surmise.config.*`. */
export function userConfigFolder(): string {
  return envPaths('surmise', { suffix: '' }).config;
}

/**
 * The project's file: the nearest one upwards, not beyond the root of a repository or the home folder, so that nobody
 * else's file is taken up.
 */
export function projectConfigPath(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = configPathIn(at);
    if (path !== undefined) return path;
    if (existsSync(join(at, '.git')) || at === homedir() || dirname(at) === at) return undefined;
  }
}

export function configPathIn(folder: string): string | undefined {
  return fileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * Reads one file: nothing that it could refer to elsewhere, no `.env`, nothing from the network.
 *
 * @throws SurmiseError `bad_data`
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  // Loaded only where there is a file to read: most searches have none.
  const { loadConfig } = await import('c12');
  try {
    if (!(await stat(path)).isFile()) throw new Error('it is no file');
    const { config } = await loadConfig<Record<string, unknown>>({
      cwd: dirname(path),
      configFile: path,
      configFileRequired: true,
      rcFile: false,
      globalRc: false,
      dotenv: false,
      packageJson: false,
      envName: false,
      extend: false,
      giget: false,
    });
    if (typeof config !== 'object' || config === null || Array.isArray(config)) throw new Error('it is no object');
    return { path, values: config };
  } catch (error) {
    throw new SurmiseError('bad_data', `The configuration ${path} can not be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
