import { type DocumentRecord, type Fingerprint, SurmiseError } from '../core/index.js';
import { toWellFormed } from '../core/well-formed.js';
import { metadataJson } from './check-records.js';
import { chunkTerms } from './chunk-terms.js';
import { languageOf } from './language.js';
import { createOutline } from './outline.js';
import { createPostingLists, type PostingLists } from './posting-lists.js';
import { type TextBlock, toTextBlocks } from './text-blocks.js';
import { toBlob, toKey } from './vector-blob.js';

/** A record as it is written. */
interface AnalyzedRecord {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly hash: string;
  readonly metadata: string;
  readonly collection: string;
  readonly characters: number;
  /** UTF-16 units of the outline, which stands before the text in the same blocks. */
  readonly outline: number;
  readonly text: readonly TextBlock[];
  readonly chunks: readonly AnalyzedChunk[];
}

interface AnalyzedChunk {
  readonly start: number;
  readonly end: number;
  /** Places in the outline. */
  readonly heading: number | null;
  readonly header: number | null;
  readonly length: number;
  readonly vector?: Uint8Array;
  readonly key: Uint8Array | null;
}

/**
 * Everything about records that the file is not needed for, so that nobody waits for it. The rows in the lists count the
 * chunks of all records from 0.
 *
 * @throws SurmiseError `bad_data`, `bad_argument`
 */
export function analyzeRecords(
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
): { records: AnalyzedRecord[]; lists: PostingLists } {
  const lists = createPostingLists();
  const analyzed = records.map(({ document, hash, chunks }): AnalyzedRecord => {
    const { id, title = '', path = id, collection = '' } = document;
    // SQLite would keep half a pair as three characters, and all offsets behind it would be wrong.
    const text = toWellFormed(document.text);
    const language = languageOf(document, text);
    const outline = createOutline();
    const rows = chunks.map(({ start, end, heading = [], header = '', vector, key }): AnalyzedChunk => {
      if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= text.length))
        throw new SurmiseError('bad_data', `A chunk of document "${id}" is not in its text: [${start}, ${end}).`);
      const { terms, length } = chunkTerms({ title, language }, { heading, header, said: text.slice(start, end) });
      lists.add(terms);
      return {
        start,
        end,
        heading: outline.place(heading),
        header: outline.place(header),
        length,
        ...(vector && { vector: toBlob(vector, fingerprint) }),
        key: key === undefined ? null : toKey(key),
      };
    });
    return {
      id,
      path,
      title,
      language,
      hash,
      metadata: metadataJson(document),
      collection,
      characters: text.length,
      outline: outline.json().length,
      text: toTextBlocks(outline.json(), text),
      chunks: rows,
    };
  });
  return { records: analyzed, lists };
}
