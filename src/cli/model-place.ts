import { isLoopback } from '../models/loopback.js';
import type { ProviderName } from '../models/providers.js';
import { connectionTo, type ModelSettings, settingsOf, splitModel } from './model-settings.js';

/** Where the texts that a model reads go. */
export interface ModelPlace {
  /** As it is configured: `static`, `local:NAME`, a provider, the path of a table. */
  readonly name: string;
  readonly model?: string;
  /** The server's host with its port; absent where the model runs in this process, or the address is not known. */
  readonly host?: string;
  /** No text leaves this machine. */
  readonly local: boolean;
}

/** The place of a model that an option or the configuration names; asks for nothing. `undefined` where there is none. */
export async function modelPlace(
  named: string | undefined,
  settings: ModelSettings = {},
): Promise<ModelPlace | undefined> {
  if (named === undefined || named === 'none' || named === 'null') return undefined;
  const { embeddingProviders, generationProviders, providerAddress } = await import('../models/providers.js');
  const { name, model = settingsOf(name, settings).model } = splitModel(named);
  const known: readonly ProviderName[] = [...embeddingProviders, ...generationProviders];
  const provider = known.find((candidate) => candidate === name);
  if (provider === undefined) return { name: named, local: true };
  const address = providerAddress(provider, await connectionTo(provider, settingsOf(name, settings)));
  const host = address === undefined ? undefined : hostOf(address);
  return {
    name: provider,
    ...(model !== undefined && { model }),
    ...(host !== undefined && { host }),
    local: address !== undefined && isLoopback(address),
  };
}

/** `where` for people. */
export function describePlace({ host, local }: ModelPlace): string {
  if (host === undefined) return local ? 'this machine, no network' : 'an address that is not configured';
  return local ? `this machine, the server at ${host}` : `${host}, over the network`;
}

/** Without what a URL may hold of secrets. */
function hostOf(address: string): string | undefined {
  try {
    return new URL(address).host;
  } catch {
    return undefined;
  }
}
