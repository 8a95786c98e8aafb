import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Embedder, type StoreInfo, SurmiseError } from '../core/index.js';
import { cacheFolder } from './index-path.js';
import { connectionTo, localModel, type ModelSettings, settingsOf, splitModel } from './model-settings.js';

export interface EmbedderOptions {
  /** Of the index that it is for. */
  readonly info?: StoreInfo;
  /** What is configured beside the name. */
  readonly settings?: ModelSettings;
  /** US dollars for a million tokens, where the usual price is not the user's. */
  readonly price?: number;
  readonly signal?: AbortSignal;
}

/**
 * The embedder of `--embedder`: `static` (the package's own table), `none`, `local:` with the folder of a sentence
 * encoder or the name of one in the cache folder, a provider with or without `:` and its model, or the path of a table.
 * Where nothing is named, an index that holds no vectors although it is not empty stays without; every other gets the
 * static one.
 *
 * @throws SurmiseError `unreadable`, `bad_data`, `bad_argument`, `provider_failed`
 */
export async function openEmbedder(
  named: string | undefined,
  { info, settings = {}, price, signal }: EmbedderOptions = {},
): Promise<Embedder | undefined> {
  const withoutVectors = info !== undefined && info.chunks > 0 && info.vectors === 0;
  if (named === 'none' || named === 'null' || (named === undefined && withoutVectors)) return undefined;
  const { loadStaticEmbedder, sentenceEncoder } = await import('../local/index.js');
  if (named === undefined || named === 'static') return loadStaticEmbedder();
  const own = localModel(named);
  if (own !== undefined) return sentenceEncoder(own);
  const { embeddingProviders, providerEmbedder } = await import('../models/providers.js');
  const { name, model } = splitModel(named);
  const provider = embeddingProviders.find((known) => known === name);
  if (provider === undefined && (existsSync(named) || /[\\/.]/.test(named))) return loadStaticEmbedder(named);
  if (provider === undefined)
    throw new SurmiseError(
      'bad_argument',
      `There is no embedder "${named}", and no file of that name. There are: static, none, local:FOLDER, ${embeddingProviders.join(', ')}.`,
    );
  const configured = settingsOf(name, settings);
  const { dimensions } = configured;
  const wanted = model ?? configured.model;
  return providerEmbedder(provider, {
    connection: await connectionTo(provider, configured),
    ...(wanted !== undefined && { model: wanted }),
    ...(dimensions !== undefined && { dimensions }),
    ...(info?.fingerprint && { stored: info.fingerprint }),
    ...(price !== undefined && { price: { perMillionTokens: price, currency: 'USD' } }),
    ...(signal !== undefined && { signal }),
  });
}

interface KeptEmbedder {
  readonly embedder: Embedder | undefined;
  readonly close: () => void;
}

/**
 * The same for measuring, where the same texts are asked for again and again: vectors of a model that takes its time are
 * kept in the cache folder.
 */
export async function openKeptEmbedder(
  named: string,
  options: EmbedderOptions & { readonly keep: boolean },
): Promise<KeptEmbedder> {
  const embedder = await openEmbedder(named, options);
  const quick = embedder === undefined || embedder.fingerprint.provider === 'static';
  if (quick || !options.keep) return { embedder, close: () => undefined };
  const { cachedEmbedder } = await import('../storage/index.js');
  const cached = cachedEmbedder(embedder, { path: join(cacheFolder(), 'vectors.db') });
  return { embedder: cached, close: cached.close };
}
