import type { Document } from '../core/ports.js';
import type { Query } from './beir.js';

/** Share of common words from which query and document are the same text (some sets cut or re-space one of them). */
const sameFrom = 0.8;

/**
 * The ids of the queries that are themselves documents of the collection (as in ArguAna and Quora): there is a document
 * with the query's id and with its text, alone or after its title. An equal id alone does not count: where queries
 * and documents are both numbered from 1 it is chance, and removing the document would remove a right answer.
 */
export async function ownDocuments(
  queries: Iterable<Query>,
  documents: Iterable<Document> | AsyncIterable<Document>,
): Promise<Set<string>> {
  const byId = new Map<string, Query>();
  for (const query of queries) byId.set(query.id, query);
  const own = new Set<string>();
  for await (const { id, text, title } of documents) {
    const query = byId.get(id);
    if (query === undefined) continue;
    const asked = words(query.text);
    if ([text, `${title ?? ''} ${text}`].some((whole) => overlap(asked, words(whole)) >= sameFrom)) own.add(id);
  }
  return own;
}

function words(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

/** Jaccard similarity; 0 for two empty sets. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
