export { analyze, type NumberedTerms, numberTerms } from './analyze.js';
export { analyzeQuery, type TermStatistics } from './analyze-query.js';
export { analyzerVersion } from './analyzer-version.js';
export type { Groups } from './best-of-groups.js';
export {
  type Bm25Options,
  type Bm25Parameters,
  type Bm25Result,
  type Bm25TermScore,
  defaultBm25Parameters,
  explainBm25,
  type PostingsSource,
  type QueryTerm,
  searchBm25,
} from './bm25.js';
export { type Bm25Hit, type Bm25Index, createBm25Index, loadBm25Index } from './bm25-index.js';
export { detectLanguage } from './detect-language.js';
export { decodePostings, encodePostings, type Postings } from './postings.js';
export { stemmedLanguages } from './stem.js';
export { createTopK, type Ranked, type TopK } from './top-k.js';
export type { SavedChanges } from './vector-blocks.js';
export {
  createVectorIndex,
  loadVectorIndex,
  type NearestOptions,
  type NearestResult,
  type VectorHit,
  type VectorIndex,
  type VectorIndexOptions,
  type VectorIndexReader,
} from './vector-index.js';
export { createVectorRows, loadVectorRows, type VectorRows, type VectorRowsOptions } from './vector-rows.js';
export type { VectorReader, VectorSearchOptions, VectorSearchResult } from './vector-search.js';
export { searchVectors, unitVector, type VectorOptions, type VectorResult, type VectorSource } from './vectors.js';
