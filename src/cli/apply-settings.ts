import type { Command } from 'commander';
import pc from 'picocolors';
import { oneLine } from './printable.js';
import { readSettings } from './read-settings.js';
import { settingNames, settings } from './settings.js';

/** What is configured for indexing; a collection's own settings come before it, flags before both. */
export const configuredIndexing = 'configured';

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
  const indexing: Record<string, unknown> = {};
  for (const name of taken) {
    const { option } = settings[name];
    if (read.origin(name) === undefined) continue;
    if (name.startsWith('indexing.')) indexing[option] = read.get(name);
    else if (command.getOptionValueSource(option) !== 'cli')
      command.setOptionValueWithSource(option, read.get(name), 'config');
  }
  command.setOptionValueWithSource(configuredIndexing, indexing, 'config');
}
