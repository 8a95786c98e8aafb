import { withDeadline } from '../core/index.js';
import { isLoopback } from '../models/loopback.js';
import { modelProfile } from '../models/model-profiles.js';

/** A server of models on this machine that nobody configured. */
export interface LoopbackServer {
  readonly name: string;
  readonly url: string;
  /** Names of its models, 100 at most. */
  readonly models: readonly string[];
  /** How to use it, as options of commands. */
  readonly offers: readonly string[];
}

interface Kind {
  readonly name: string;
  /** The address that its maker chose. */
  readonly url: string;
  /** Under which name Surmise knows it. */
  readonly provider: 'ollama' | 'openai-compatible';
}

const usualOllama = 'http://127.0.0.1:11434';

const kinds: readonly Kind[] = [
  { name: 'Ollama', url: usualOllama, provider: 'ollama' },
  { name: 'LM Studio', url: 'http://127.0.0.1:1234', provider: 'openai-compatible' },
  { name: 'llama.cpp', url: 'http://127.0.0.1:8080', provider: 'openai-compatible' },
];

const deadlineMs = 1_500;
const maxBytes = 1_000_000;
const maxModels = 100;

/**
 * Servers of Ollama, LM Studio and llama.cpp that run on this machine, each asked for the list of its models and nothing
 * else. One that does not answer in time, or with something else, is not there.
 *
 * @param environment of which `OLLAMA_HOST` says where Ollama listens, as for Ollama itself; elsewhere than on this
 *   machine it is not asked
 */
export async function findLoopbackServers(
  signal: AbortSignal,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<LoopbackServer[]> {
  const asked = kinds.flatMap((kind) => {
    const url = kind.provider === 'ollama' ? ollamaUrl(environment) : kind.url;
    return url === undefined ? [] : { ...kind, url };
  });
  const found = await Promise.all(asked.map((kind) => lookAt(kind, signal)));
  return found.filter((server) => server !== undefined);
}

/** `127.0.0.1:11434`, `0.0.0.0` and `http://localhost:11434` are forms that Ollama takes. */
function ollamaUrl({ OLLAMA_HOST: given = '' }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (given.trim() === '') return usualOllama;
  try {
    const url = new URL(/^https?:\/\//.test(given.trim()) ? given.trim() : `http://${given.trim()}`);
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
    if (url.port === '' && url.protocol === 'http:') url.port = '11434';
    return isLoopback(url.origin) ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

async function lookAt({ name, url, provider }: Kind, signal: AbortSignal): Promise<LoopbackServer | undefined> {
  const models = await modelsAt(`${url}/v1/models`, signal);
  return models && { name, url, models, offers: offersOf(provider, url, models) };
}

async function modelsAt(url: string, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    return await withDeadline('The list of models', deadlineMs, signal, async (inner) => {
      const response = await fetch(url, { signal: inner, redirect: 'error' });
      if (!response.ok || response.body === null) return undefined;
      return modelsIn(await textUpTo(response.body, maxBytes));
    });
  } catch {
    if (signal.aborted) throw signal.reason;
    return undefined;
  }
}

async function textUpTo(body: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.length > most) throw new RangeError('The answer is too long.');
  }
  return text + decoder.decode();
}

function modelsIn(text: string): string[] | undefined {
  const { data } = JSON.parse(text) as { data?: unknown };
  if (data !== null && !Array.isArray(data)) return undefined;
  const ids = (data ?? []).map((entry: unknown) => (entry as { id?: unknown } | null)?.id);
  return ids.every((id) => typeof id === 'string') ? (ids as string[]).slice(0, maxModels) : undefined;
}

/** Most names of models for embedding say so. */
const embeds = (model: string) => /embed|minilm|\bgte\b/i.test(model) || modelProfile(model) !== undefined;

function offersOf(provider: Kind['provider'], url: string, models: readonly string[]): string[] {
  // What stands in a command that a user may copy must be a name and nothing else.
  const plain = models.filter((model) => /^[\w.:/@+-]+$/.test(model));
  const embedder = plain.find(embeds);
  const generator = plain.find((model) => !embeds(model));
  const usual = provider === 'ollama' && url === usualOllama;
  const at = (side: 'EMBEDDER' | 'GENERATOR') => (usual ? '' : `SURMISE_${side}_BASE_URL=${url}/v1 `);
  return [
    ...(embedder === undefined ? [] : [`${at('EMBEDDER')}surmise index FOLDER --embedder ${provider}:${embedder}`]),
    ...(generator === undefined ? [] : [`${at('GENERATOR')}surmise search --generator ${provider}:${generator}`]),
  ];
}
