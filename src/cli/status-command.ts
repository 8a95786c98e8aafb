import pc from 'picocolors';
import { describeFingerprint, type LegBalance, type StoreInfo, type VectorsBeside } from '../core/index.js';
import { grammarsPresent } from '../files/index.js';
import { openSqliteStore, type Spending, type VectorCounts } from '../storage/index.js';
import { indexPath } from './index-path.js';
import { megabytes } from './megabytes.js';
import { describePlace, type ModelPlace } from './model-place.js';
import { oneLine } from './printable.js';
import { type ConfiguredModels, type LegState, statusModels } from './status-models.js';

export interface StatusOptions extends ConfiguredModels {
  readonly index?: string;
  readonly json?: boolean;
}

/**
 * `--json` prints the store's info, `{documents, chunks, vectors, characters, fingerprint, languages, collections, location,
 * bytes}`, with `vectorCounts`, what lies `beside` of the vectors of another embedder, the `spending` so far, the settings of collections as
 * `sources`, the installed `grammars`, and with what is configured now: `embedder`, `generator` and `legs`.
 */
export async function statusCommand(options: StatusOptions): Promise<void> {
  const store = openSqliteStore({ path: indexPath(options.index), access: 'read' });
  try {
    const info = await store.info();
    const vectorCounts = await store.vectorCounts();
    const sources = await store.collections();
    const grammars = await grammarsPresent();
    const beside = await store.beside.info();
    const spending = await store.spending();
    const models = await statusModels(info, options);
    if (options.json) {
      console.log(
        JSON.stringify({ ...info, vectorCounts, ...(beside && { beside }), spending, sources, grammars, ...models }),
      );
      return;
    }
    const counts = new Map(Object.entries(info.collections ?? {}));
    for (const { name } of sources) counts.set(name, counts.get(name) ?? 0);
    const collections = [...counts].map(([name, documents]) => `${name} ${documents.toLocaleString('en')}`);
    const languages = Object.entries(info.languages).map(([code, chunks]) => `${code} ${chunks}`);
    const lines: readonly (readonly [string, string])[] = [
      ['index', info.location],
      ['size', megabytes(info.bytes)],
      ['documents', info.documents.toLocaleString('en')],
      ['chunks', info.chunks.toLocaleString('en')],
      ['vectors', vectorsLine(vectorCounts)],
      ['made by', spaceLine(info)],
      ...(beside === undefined ? [] : [['beside', besideLine(beside)] as const]),
      ['search', `by words ${legLine(models.legs.lexical)}; by vectors ${legLine(models.legs.dense)}`],
      ...(info.legBalance === undefined ? [] : [['legs', balanceLine(info.legBalance)] as const]),
      ['embedder', placeLine(models.embedder, 'none: no text is embedded')],
      ['generator', placeLine(models.generator, 'none: no model is asked for hypotheses')],
      ['cost', spendingLine(spending)],
      ['languages', languages.length === 0 ? 'none' : `${languages.join(', ')} (chunks)`],
      ...(collections.length === 0 ? [] : [['collections', `${collections.join(', ')} (documents)`] as const]),
      ['grammars', grammars.length === 0 ? 'none: source code is split by lines' : grammars.join(', ')],
    ];
    for (const [name, value] of lines) console.log(`${pc.dim(name.padEnd(11))} ${oneLine(value, 1_000)}`);
  } finally {
    await store.close();
  }
}

function vectorsLine({ complete, pending, failed, failedDocuments }: VectorCounts): string {
  const parts = [complete.toLocaleString('en')];
  if (pending > 0) parts.push(`${pending.toLocaleString('en')} chunks wait for theirs`);
  if (failed > 0)
    parts.push(
      `${failed.toLocaleString('en')} chunks of ${failedDocuments.toLocaleString('en')} documents were refused or not reached`,
    );
  if (pending + failed > 0) parts.push('run surmise index again');
  return parts.join('; ');
}

function besideLine({ fingerprint, vectors }: NonNullable<Awaited<ReturnType<VectorsBeside['info']>>>): string {
  return `${vectors.toLocaleString('en')} vectors of ${describeFingerprint(fingerprint)} are made; go on with: surmise reembed`;
}

/** Whose vectors the index holds. */
function spaceLine({ fingerprint }: StoreInfo): string {
  if (fingerprint === undefined) return 'nobody: only words are searched';
  const { provider, model, dimensions, prefixes } = fingerprint;
  const prefix = prefixes === undefined ? '' : `, prefixes "${prefixes.query}" and "${prefixes.document}"`;
  return `provider ${provider}, model ${model}, ${dimensions} dimensions${prefix}`;
}

function spendingLine(spending: readonly Spending[]): string {
  const parts = spending.map(({ embedder, tokens, cost }) => {
    const money = cost === undefined ? 'price not known' : `${cost.amount.toFixed(4)} ${cost.currency}`;
    return `${embedder} about ${tokens.toLocaleString('en')} tokens, ${money}`;
  });
  return parts.length === 0 ? 'nothing was embedded elsewhere' : parts.join('; ');
}

function legLine({ works, reason }: LegState): string {
  return works ? 'works' : `does not work: ${reason}`;
}

function balanceLine({ lexical, dense, denseWeight, samples }: LegBalance): string {
  const [words, vectors, share] = [lexical, dense, denseWeight].map((value) => value.toFixed(2));
  return `words find ${words}, vectors ${vectors} (mean reciprocal rank of ${samples} sentences of its own); vectors count ${share}`;
}

function placeLine(place: ModelPlace | null, none: string): string {
  if (place === null) return none;
  return `${place.model === undefined ? place.name : `${place.name}:${place.model}`}; texts go to ${describePlace(place)}`;
}
