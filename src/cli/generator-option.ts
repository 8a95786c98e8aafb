import { type Generator, SurmiseError } from '../core/index.js';
import { connectionTo, type ModelSettings, settingsOf, splitModel } from './model-settings.js';

/**
 * The generator of `--generator`: `none`, or a provider with or without `:` and its model. Nothing named: none; no text
 * leaves the machine unless the user chose who gets it.
 *
 * @throws SurmiseError `bad_argument`
 */
export async function openGenerator(
  named: string | undefined,
  configured: ModelSettings = {},
): Promise<Generator | undefined> {
  if (named === undefined || named === 'none' || named === 'null') return undefined;
  const { generationProviders, providerGenerator } = await import('../models/providers.js');
  const { name, model } = splitModel(named);
  const provider = generationProviders.find((known) => known === name);
  if (provider === undefined)
    throw new SurmiseError(
      'bad_argument',
      `There is no generator "${named}". There are: none, ${generationProviders.join(', ')}.`,
    );
  const settings = settingsOf(name, configured);
  return providerGenerator(provider, {
    connection: await connectionTo(provider, settings),
    model: model ?? settings.model ?? '',
  });
}
