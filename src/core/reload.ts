import { checkPorts } from './check-ports.js';
import { SurmiseError } from './errors.js';
import { describeFingerprint, fingerprintKey } from './fingerprint.js';
import type { Embedder, ModelCache } from './ports.js';
import type { ReembedOptions, ReembedReport } from './reembed.js';
import type { SearchPorts } from './run.js';
import type { StoreWithBeside } from './vectors-beside.js';

const names = ['embedder', 'generator', 'feedback', 'reranker'] as const;

type Name = (typeof names)[number];

/** What is named takes the place of what there is, `null` takes it away, what is not named stays. */
export type ReloadParts = { readonly [N in Name]?: SearchPorts[N] | null };

export interface ReloadReport {
  /** What searches use from now on. */
  readonly replaced: readonly Name[];
  /** Where the index holds vectors of another embedder: both names, and what goes on. */
  readonly warning?: string;
  /**
   * Where vectors are made anew in the background: settles when searches use the new ones. Rejects where they can not be
   * made, with `aborted` where a later reload or `close` ended it; the old ones go on answering then.
   */
  readonly reembedded?: Promise<ReembedReport>;
}

export type ReloadOptions = Pick<ReembedOptions, 'retries' | 'budget' | 'onProgress'>;

export interface Reloader {
  reload(parts: ReloadParts, options?: ReloadOptions): Promise<ReloadReport>;
  /** Ends what is made in the background. */
  close(): Promise<void>;
}

type LivePorts = { -readonly [N in keyof SearchPorts]: SearchPorts[N] };

/** Replaces parts of a Surmise while it is in use; a search goes on with those that it was begun with. */
export function createReloader(ports: LivePorts, cache: ModelCache | undefined): Reloader {
  let making: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const end = async () => {
    making?.abort.abort();
    await making?.ended;
    making = undefined;
  };
  const take = (name: Name, part: SearchPorts[Name] | null) => {
    if (part === null || part === undefined) delete ports[name];
    else Object.assign(ports, { [name]: part });
  };

  const takeEmbedder = async (
    embedder: Embedder | null,
    options: ReloadOptions,
  ): Promise<Omit<ReloadReport, 'replaced'> & { readonly now: boolean }> => {
    const wasMaking = making !== undefined;
    await end();
    const store: StoreWithBeside = ports.store;
    const { fingerprint: stored, vectors } = await store.info();
    if (embedder === null || stored === undefined || vectors === 0) return { now: true };
    if (fingerprintKey(stored) === fingerprintKey(embedder.fingerprint)) {
      // What others make is theirs.
      if (wasMaking) await store.beside?.drop();
      return { now: true };
    }
    const both = `The index holds vectors of ${describeFingerprint(stored)}, the embedder is ${describeFingerprint(embedder.fingerprint)} now.`;
    if (store.beside === undefined)
      return { now: true, warning: `${both} Only words are searched until the index is built anew.` };
    const abort = new AbortController();
    const { reembed } = await import('./reembed.js');
    const reembedded = reembed(
      { store, embedder, ...(cache && { cache }) },
      { ...options, signal: abort.signal, onSwap: () => take('embedder', embedder) },
    );
    making = { abort, ended: reembedded.catch(() => {}) };
    return { now: false, warning: `${both} The old ones answer until new ones are made.`, reembedded };
  };

  const replace = async (parts: ReloadParts, options: ReloadOptions): Promise<ReloadReport> => {
    checkParts(parts);
    const { embedder } = parts;
    const { now, ...report } = embedder === undefined ? { now: false } : await takeEmbedder(embedder, options);
    const replaced = names.filter((name) => parts[name] !== undefined && (name !== 'embedder' || now));
    for (const name of replaced) take(name, parts[name]!);
    return { replaced, ...report };
  };

  return {
    reload(parts, options = {}) {
      // One after the other: the last word counts.
      const done = turn.then(() => replace(parts, options));
      turn = done.catch(() => {});
      return done;
    },
    async close() {
      await turn;
      await end();
    },
  };
}

function checkParts(parts: ReloadParts): void {
  const unknown = Object.keys(parts ?? {}).find((name) => !names.includes(name as Name));
  if (unknown !== undefined)
    throw new SurmiseError('bad_argument', `Unknown part "${unknown}" in a reload. Known: ${names.join(', ')}.`);
  checkPorts(Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null)));
}
