import pc from 'picocolors';
import { describeFingerprint, type LegBalance } from '../core/index.js';
import { grammarsPresent } from '../files/index.js';
import { openSqliteStore } from '../storage/index.js';
import { indexPath } from './index-path.js';
import { megabytes } from './megabytes.js';
import { oneLine } from './printable.js';

function legsLine({ lexical, dense, denseWeight, samples }: LegBalance): string {
  const [words, vectors, share] = [lexical, dense, denseWeight].map((value) => value.toFixed(2));
  return `words find ${words}, vectors ${vectors} (mean reciprocal rank of ${samples} sentences of its own); vectors count ${share}`;
}

/**
 * `--json` prints the store's info, `{documents, chunks, vectors, characters, fingerprint, languages, collections, location,
 * bytes}`, with the settings of collections as `sources` and the installed `grammars`.
 */
export async function statusCommand(options: { readonly index?: string; readonly json?: boolean }): Promise<void> {
  const store = openSqliteStore({ path: indexPath(options.index), access: 'read' });
  try {
    const info = await store.info();
    const sources = await store.collections();
    const grammars = await grammarsPresent();
    if (options.json) {
      console.log(JSON.stringify({ ...info, sources, grammars }));
      return;
    }
    const waiting = info.fingerprint === undefined ? 0 : info.chunks - info.vectors;
    const counts = new Map(Object.entries(info.collections ?? {}));
    for (const { name } of sources) counts.set(name, counts.get(name) ?? 0);
    const collections = [...counts].map(([name, documents]) => `${name} ${documents.toLocaleString('en')}`);
    const languages = Object.entries(info.languages).map(([code, chunks]) => `${code} ${chunks}`);
    const lines: readonly (readonly [string, string])[] = [
      ['index', info.location],
      ['size', megabytes(info.bytes)],
      ['documents', info.documents.toLocaleString('en')],
      ['chunks', info.chunks.toLocaleString('en')],
      [
        'vectors',
        `${info.vectors.toLocaleString('en')}${waiting > 0 ? `; ${waiting.toLocaleString('en')} chunks wait for theirs, run surmise index again` : ''}`,
      ],
      [
        'embedder',
        info.fingerprint === undefined ? 'none: only words are searched' : describeFingerprint(info.fingerprint),
      ],
      ...(info.legBalance === undefined ? [] : [['legs', legsLine(info.legBalance)] as const]),
      ['languages', languages.length === 0 ? 'none' : `${languages.join(', ')} (chunks)`],
      ...(collections.length === 0 ? [] : [['collections', `${collections.join(', ')} (documents)`] as const]),
      ['grammars', grammars.length === 0 ? 'none: source code is split by lines' : grammars.join(', ')],
    ];
    for (const [name, value] of lines) console.log(`${pc.dim(name.padEnd(11))} ${oneLine(value, 1_000)}`);
  } finally {
    await store.close();
  }
}
