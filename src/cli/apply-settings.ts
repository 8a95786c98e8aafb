import type { Command } from 'commander';
import pc from 'picocolors';
import { oneLine } from './printable.js';
import { readSettings } from './read-settings.js';
import { type Setting, settingNames, settings } from './settings.js';

/**
 * Gives a command what is configured for each option that its line does not name, and warns of what was not understood.
 *
 * @throws SurmiseError what `readSettings` throws
 */
export async function applySettings(command: Command): Promise<void> {
  const options = new Set(command.options.map((option) => option.attributeName()));
  const taken = settingNames.filter((name) => options.has(settings[name].option));
  if (taken.length === 0) return;
  const read = await readSettings();
  for (const warning of read.warnings) console.error(pc.yellow(oneLine(warning, 1_000)));
  const objects: Record<string, Record<string, unknown>> = {};
  for (const name of taken) {
    const { option, into } = settings[name] as Setting;
    if (read.origin(name) === undefined) continue;
    const value = read.get(name);
    if (into !== undefined) objects[into] = { ...objects[into], [lastPart(name)]: value };
    // So that the settings of one provider are not taken for those of another that a flag names.
    else if (lastPart(name) === 'provider')
      objects[`${option}Settings`] = { ...objects[`${option}Settings`], provider: value };
    if (into === undefined && command.getOptionValueSource(option) !== 'cli')
      command.setOptionValueWithSource(option, value, 'config');
  }
  for (const [name, value] of Object.entries(objects)) command.setOptionValueWithSource(name, value, 'config');
}

function lastPart(name: string): string {
  return name.split('.').at(-1)!;
}
