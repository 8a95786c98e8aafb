import './snowball.js';

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
export type { PartSource } from './bm25-block-names.js';
export type { Bm25Explanation, Bm25FieldScore } from './bm25-explain.js';
export type { DocumentTerms, FieldBoosts } from './bm25-fields.js';
export { type Bm25Index, type Bm25IndexOptions, createBm25Index, loadBm25Index } from './bm25-index.js';
export {
  type Bm25Query,
  type Clause,
  explainBm25Query,
  type QueryPrefix,
  type QuerySource,
  searchBm25Query,
} from './bm25-query.js';
export type { Bm25Hit, Bm25Reader, Bm25SearchOptions, Bm25SearchResult } from './bm25-reader.js';
export { detectLanguage } from './detect-language.js';
export { createVectorMatrix } from './float32-scan.js';
export { type ParsedQuery, parseQuery } from './parse-query.js';
export {
  decodePostings,
  encodePostings,
  type Postings,
  type PostingsPiece,
  type WeightedPostings,
} from './postings.js';
export { searchVectors } from './search-vectors.js';
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
export { unitVector, type VectorOptions, type VectorResult, type VectorSource } from './vectors.js';
