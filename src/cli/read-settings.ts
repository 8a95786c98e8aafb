import { dirname, resolve } from 'node:path';
import leven from 'leven';
import { SurmiseError } from '../core/errors.js';
import { type ConfigFile, configPathIn, projectConfigPath, readConfigFile, userConfigFolder } from './config-file.js';
import { type Setting, type SettingName, type SettingValue, settingNames, settings, variableOf } from './settings.js';

/** Where a value comes from: the name of a variable, the path of a file. */
export interface Origin {
  readonly kind: 'variable' | 'file';
  readonly name: string;
}

export interface Settings {
  /** The value that counts; `undefined` where nothing is set and there is no one default. */
  get<N extends SettingName>(name: N): SettingValue<N> | undefined;
  /** `undefined` for a default. */
  origin(name: SettingName): Origin | undefined;
  /** Values out of range, each with the one that is used instead, and variables with names that look misspelt. */
  readonly warnings: readonly string[];
  /** Files that were read, the one that counts more first. */
  readonly files: readonly string[];
}

export interface SettingSources {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
}

interface Given {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * The one reader of what is configured: variables before the project's file before the user's file before defaults; flags
 * come before all of them, see `applySettings`. A number out of range becomes the nearest inside, with a warning that names
 * both. An empty variable counts as not set.
 *
 * @throws SurmiseError `bad_argument` for a name that is no setting and a value that is no such thing, `bad_data` for a
 *   file that can not be read
 */
export async function readSettings(sources: SettingSources = {}): Promise<Settings> {
  const { environment = process.env, folder = process.cwd() } = sources;
  const paths = new Set([projectConfigPath(folder), configPathIn(userConfigFolder())]);
  const files = await Promise.all([...paths].filter((path) => path !== undefined).map(readConfigFile));
  const inFiles = files.map((file) => ({ file, values: settingsIn(file) }));
  const warnings = misspeltVariables(environment);
  const found = new Map<SettingName, Given>();
  for (const name of settingNames) {
    const given = givenFor(name);
    if (given !== undefined) found.set(name, { ...given, value: check(name, given, warnings) });
  }

  function givenFor(name: SettingName): Given | undefined {
    for (const variable of variablesOf(name)) {
      const value = environment[variable];
      if (value !== undefined && value.trim() !== '') return { value, origin: { kind: 'variable', name: variable } };
    }
    for (const { file, values } of inFiles) {
      const value = values.get(name);
      if (value !== undefined) return { value, origin: { kind: 'file', name: file.path } };
    }
    return undefined;
  }

  return {
    get: <N extends SettingName>(name: N) => {
      const given = found.get(name);
      return (given === undefined ? (settings[name] as Setting).standard : given.value) as SettingValue<N> | undefined;
    },
    origin: (name) => found.get(name)?.origin,
    warnings,
    files: files.map(({ path }) => path),
  };
}

/** The variables that may set it, in order of precedence. */
export function variablesOf(name: SettingName): string[] {
  return [variableOf(name), ...((settings[name] as Setting).aliases ?? [])];
}

function check(name: SettingName, { value, origin }: Given, warnings: string[]): unknown {
  const { kind, isPath, secret = false } = settings[name] as Setting;
  const where = `${name}, from ${origin.name},`;
  const read = kind.read(value);
  if (read === undefined)
    throw new SurmiseError(
      'bad_argument',
      `${where} must be ${kind.expected}${secret || kind.quoted === false ? '' : `, not ${JSON.stringify(value)}`}.`,
    );
  if (typeof read === 'number' && read !== Number(value))
    warnings.push(`${where} is ${String(value)}; it must be ${kind.expected}, so ${read} is used.`);
  return origin.kind === 'file' && isPath?.(read) ? resolve(dirname(origin.name), String(read)) : read;
}

/** The settings of a file by their full names. */
function settingsIn({ path, values }: ConfigFile): Map<SettingName, unknown> {
  const found = new Map<SettingName, unknown>();
  const visit = (value: unknown, name: string) => {
    if (isSetting(name)) {
      if (value !== undefined && value !== null) found.set(name, value);
    } else if (name === '' || settingNames.some((known) => known.startsWith(`${name}.`))) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new SurmiseError('bad_argument', `${path}: "${name}" must be an object.`);
      for (const [key, inner] of Object.entries(value)) visit(inner, name === '' ? key : `${name}.${key}`);
    } else {
      const there = namesBeside(name);
      const near = nearest(name, [...there, ...settingNames]);
      throw new SurmiseError(
        'bad_argument',
        `${path}: there is no setting "${name}". ${near === undefined ? `There are: ${there.join(', ')}.` : `Did you mean "${near}"?`}`,
      );
    }
  };
  visit(values, '');
  return found;
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

/** What may stand where this name does. */
function namesBeside(name: string): string[] {
  const { length } = name.split('.');
  const parent = name.slice(0, name.lastIndexOf('.') + 1);
  const beside = settingNames.filter((known) => known.startsWith(parent));
  return [...new Set(beside.map((known) => known.split('.').slice(0, length).join('.')))];
}

function misspeltVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = settingNames.flatMap(variablesOf);
  return Object.keys(environment)
    .filter((name) => name.startsWith('SURMISE_') && !known.includes(name))
    .flatMap((name) => {
      const near = nearest(name, known);
      return near === undefined ? [] : [`The variable ${name} is no setting. Did you mean ${near}?`];
    });
}

/** The name that differs in at most two letters. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const distance = (other: string) => leven(name.toLowerCase(), other.toLowerCase(), { maxDistance: 3 });
  const [best] = names.map((other) => ({ other, far: distance(other) })).sort((a, b) => a.far - b.far);
  return best !== undefined && best.far <= 2 ? best.other : undefined;
}
