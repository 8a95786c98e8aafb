import { join } from 'node:path';
import type { ProviderConnection, ProviderName } from '../models/providers.js';
import { awsCredentials } from './aws-credentials.js';
import { cacheFolder } from './index-path.js';

const local = 'local:';

/** What is configured for the models of one provider. */
export interface ModelSettings {
  /** Whose settings these are: a flag that names another provider leaves them out. */
  readonly provider?: string;
  readonly model?: string;
  readonly dimensions?: number;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** `voyage:voyage-3.5` names a provider and a model; a model's own colons are its own. */
export function splitModel(named: string): { readonly name: string; readonly model?: string } {
  const at = named.indexOf(':');
  if (at < 0) return { name: named.trim().toLowerCase() };
  const model = named.slice(at + 1).trim();
  return { name: named.slice(0, at).trim().toLowerCase(), ...(model !== '' && { model }) };
}

/** `local:` names a model that runs in this process, by its folder or by its name in the cache folder. */
export function localModel(named: string): { readonly model: string; readonly cache: string } | undefined {
  return named.startsWith(local)
    ? { model: named.slice(local.length), cache: join(cacheFolder(), 'models') }
    : undefined;
}

/** How the provider is reached: by its settings, else by the variables that its users know. */
export async function connectionTo(
  name: ProviderName,
  { apiKey, baseUrl, region, profile }: ModelSettings,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ProviderConnection> {
  const { providerKeyVariables } = await import('../models/providers.js');
  const given = (variable: string) => environment[variable]?.trim() || undefined;
  const key =
    apiKey ??
    providerKeyVariables(name)
      .map(given)
      .find((value) => value !== undefined);
  const where = region ?? given('BEDROCK_REGION') ?? given('AWS_REGION') ?? given('AWS_DEFAULT_REGION');
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(key !== undefined && { apiKey: key }),
    ...(name === 'bedrock' && {
      ...(where !== undefined && { region: where }),
      ...(key === undefined && { credentials: awsCredentials(profile) }),
    }),
  };
}

/** The settings, where they are those of the provider that is used. */
export function settingsOf(name: string, settings: ModelSettings): ModelSettings {
  return settings.provider === undefined || splitModel(settings.provider).name === name ? settings : {};
}
