import pc from 'picocolors';
import { describeFingerprint } from '../core/index.js';
import { openSqliteStore } from '../storage/index.js';
import { indexPath } from './index-path.js';
import { oneLine } from './printable.js';

/** `--json` prints the store's info: `{documents, chunks, vectors, characters, fingerprint, languages, location, bytes}`. */
export async function statusCommand(options: { readonly index?: string; readonly json?: boolean }): Promise<void> {
  const store = openSqliteStore({ path: indexPath(options.index), access: 'read' });
  try {
    const info = await store.info();
    if (options.json) {
      console.log(JSON.stringify(info));
      return;
    }
    const languages = Object.entries(info.languages).map(([code, chunks]) => `${code} ${chunks}`);
    const lines: readonly (readonly [string, string])[] = [
      ['index', info.location],
      ['size', `${(info.bytes / 1e6).toFixed(1)} MB`],
      ['documents', info.documents.toLocaleString('en')],
      ['chunks', info.chunks.toLocaleString('en')],
      ['vectors', info.vectors.toLocaleString('en')],
      [
        'embedder',
        info.fingerprint === undefined ? 'none: only words are searched' : describeFingerprint(info.fingerprint),
      ],
      ['languages', languages.length === 0 ? 'none' : `${languages.join(', ')} (chunks)`],
    ];
    for (const [name, value] of lines) console.log(`${pc.dim(name.padEnd(10))} ${oneLine(value, 1_000)}`);
  } finally {
    await store.close();
  }
}
