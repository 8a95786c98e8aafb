import { type Scored, type SearchResult, SurmiseError } from '../core/index.js';

/**
 * The documents of an answer with their scores, best first. What is measured must be what was asked for, so an answer
 * that a part is missing from is no answer here.
 *
 * @throws SurmiseError `provider_failed`
 */
export function scoredDocuments({ hits, degraded }: SearchResult): Scored[] {
  const [first] = degraded;
  if (first !== undefined)
    throw new SurmiseError('provider_failed', `${first.part} did not take part in the search: ${first.reason}`);
  return hits.map(({ document, score }) => ({ id: document, score }));
}
