import Table from 'cli-table3';
import pc from 'picocolors';
import { userConfigFolder } from './config-file.js';
import { oneLine } from './printable.js';
import { readSettings, variablesOf } from './read-settings.js';
import { type Setting, type SettingName, settingNames, settings } from './settings.js';

/** What `surmise config --json` prints for each setting. */
interface ShownSetting {
  /** `null` where nothing is set and the default depends on the index; a secret that is set is `"***"`. */
  readonly value: unknown;
  /** `default`, the name of a variable, or the path of a file. */
  readonly origin: string;
  readonly effect: string;
  readonly expected: string;
  /** What may set it, in order of precedence. */
  readonly variables: readonly string[];
}

/** Shows every setting. `--json` prints
 * `{settings: {name: {value, origin, effect, expected, variables}}, files, warnings}`. */
export async function configCommand({ json = false }: { readonly json?: boolean }): Promise<void> {
  const read = await readSettings();
  const shown = (name: SettingName): ShownSetting => {
    const { effect, kind, secret = false } = settings[name] as Setting;
    const value = read.get(name);
    return {
      value: secret && value !== undefined ? '***' : (withoutQuery(value) ?? null),
      origin: read.origin(name)?.name ?? 'default',
      effect,
      expected: kind.expected,
      variables: variablesOf(name),
    };
  };
  const all = Object.fromEntries(settingNames.map((name) => [name, shown(name)]));
  if (json) {
    console.log(JSON.stringify({ settings: all, files: read.files, warnings: read.warnings }));
    return;
  }
  for (const warning of read.warnings) console.error(pc.yellow(oneLine(warning, 1_000)));
  const table = new Table({ head: ['setting', 'value', 'from', 'what it changes'], style: { head: [], border: [] } });
  for (const [name, { value, origin, effect }] of Object.entries(all))
    table.push([name, value === null ? '' : oneLine(printed(value), 60), oneLine(origin, 80), effect]);
  console.log(table.toString());
  console.log(
    read.files.length > 0
      ? `Read: ${read.files.join(', ')}`
      : `No surmise.config.json here or upwards, none in ${userConfigFolder()}. Make one with: surmise init`,
  );
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Some servers take their key as a part of the address. */
function withoutQuery(value: unknown): unknown {
  return typeof value === 'string' && /^https?:/i.test(value) ? value.replace(/\?.*/s, '?***') : value;
}
