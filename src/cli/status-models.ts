import { describeFingerprint, fingerprintKey, isSurmiseError, type StoreInfo } from '../core/index.js';
import { openEmbedder } from './embedder-option.js';
import { type ModelPlace, modelPlace } from './model-place.js';
import type { ModelSettings } from './model-settings.js';

export interface ConfiguredModels {
  readonly embedder?: string;
  readonly embedderSettings?: ModelSettings;
  readonly generator?: string;
  readonly generatorSettings?: ModelSettings;
}

/** Whether a leg works with what is configured, and why not. */
export interface LegState {
  readonly works: boolean;
  readonly reason?: string;
}

export interface StatusModels {
  /** Where questions and documents go to be embedded; `null` where nobody embeds. */
  readonly embedder: ModelPlace | null;
  /** Where questions and passages go to be answered with hypotheses; `null` where no model writes any. */
  readonly generator: ModelPlace | null;
  readonly legs: { readonly lexical: LegState; readonly dense: LegState };
}

/** What an index can be searched with as it is configured. Asks nothing of a provider. */
export async function statusModels(info: StoreInfo, configured: ConfiguredModels): Promise<StatusModels> {
  const { embedder, embedderSettings = {}, generator, generatorSettings } = configured;
  const withoutVectors = info.chunks > 0 && info.vectors === 0;
  const named = embedder ?? (withoutVectors ? 'none' : 'static');
  return {
    embedder: (await modelPlace(named, embedderSettings)) ?? null,
    generator: (await modelPlace(generator, generatorSettings)) ?? null,
    legs: {
      lexical: info.chunks > 0 ? { works: true } : { works: false, reason: 'the index is empty' },
      dense: await denseLeg(info, named, embedderSettings),
    },
  };
}

async function denseLeg(info: StoreInfo, named: string, settings: ModelSettings): Promise<LegState> {
  const { fingerprint, vectors } = info;
  const fails = (reason: string): LegState => ({ works: false, reason });
  if (fingerprint === undefined || vectors === 0) return fails('the index holds no vectors');
  try {
    // Whoever is asked for the dimensions of a model is given up before that.
    const embedder = await openEmbedder(named, { info, settings, signal: AbortSignal.abort() });
    if (embedder === undefined) return fails('no embedder is configured');
    if (fingerprintKey(embedder.fingerprint) === fingerprintKey(fingerprint)) return { works: true };
    return fails(
      `the index holds vectors of ${describeFingerprint(fingerprint)}, but ${describeFingerprint(embedder.fingerprint)} is configured; search with --embedder as before, or run: surmise reembed`,
    );
  } catch (error) {
    if (!isSurmiseError(error)) throw error;
    if (error.code !== 'aborted') return fails(error.message);
    return fails('the dimensions of the embedder are known only when it is asked; run: surmise doctor');
  }
}
