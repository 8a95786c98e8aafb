import type { StoreInfo, TermCount } from '../core/ports.js';
import { analyzeQuery } from '../kernels/analyze-query.js';
import type { PostingsSource } from '../kernels/bm25.js';
import { provideStemmersOf } from './stemmers.js';
import { undetermined } from './stored.js';

/** A question is analysed in so many languages of the index, those with most chunks first. */
const maxLanguages = 6;
/** UTF-16 units from which a text is taken to be a passage that shows its language. */
const passageLength = 200;

/** Counts the terms that each text asks for in an index of these languages, largest first. */
export async function questionTerms(
  texts: readonly string[],
  languages: StoreInfo['languages'],
): Promise<(postings: PostingsSource) => TermCount[][]> {
  const languagesOf = await questionLanguages(texts, languages);
  return ({ size, postings }) => {
    const chunksWith = (term: string) => postings(term)?.rows.length ?? 0;
    return texts.map((text) => {
      const analyzed = analyzeQuery(text, languagesOf(text), { size, frequency: chunksWith });
      return analyzed.map(({ term, weight }) => ({ term, weight, chunks: chunksWith(term) }));
    });
  };
}

/**
 * The languages in which each of the texts is analysed: a passage in its own, where the index holds it, since the stems
 * of others would only thin it out; a question, which is too short to show one, in those of the index. What tells
 * languages apart is loaded for passages only, and stemmers where another language than English is held.
 */
export async function questionLanguages(
  texts: readonly string[],
  languages: StoreInfo['languages'],
): Promise<(text: string) => string[]> {
  for (const language of Object.keys(languages)) provideStemmersOf(language);
  const most = Object.keys(languages).slice(0, maxLanguages);
  if (most.length === 0) most.push(undetermined);
  const detect = texts.some((text) => text.length >= passageLength)
    ? (await import('../kernels/detect-language.js')).detectLanguage
    : () => undefined;
  return (text) => {
    const own = text.length < passageLength ? undefined : detect(text);
    return own !== undefined && Object.hasOwn(languages, own) ? [own] : most;
  };
}
