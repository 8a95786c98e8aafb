export type { Anchor } from './anchor.js';
export {
  type BlendCandidate,
  type Blended,
  type BlendOptions,
  blendedRank,
  defaultRankWeights,
  lexicalMatch,
  type RankWeights,
  temporalStrength,
} from './blended-rank.js';
export type { CallBudget } from './call-budget.js';
export { checkFilter } from './check-filter.js';
export { type Block, type ChunkOptions, chunkerVersion, chunkText } from './chunk.js';
export { chunkId, parseChunkId } from './chunk-id.js';
export { checkCollectionName } from './collection-name.js';
export { indexingRetries, type Retries } from './cool-down.js';
export { throwIfAborted, withDeadline } from './deadline.js';
export { type EmbedOptions, embedTexts } from './embed.js';
export { type ErrorCode, errorCodes, isSurmiseError, messageOf, SurmiseError } from './errors.js';
export { type Expansion, type ExpansionOptions, expandTerms } from './expansion.js';
export type { Explanation } from './explain.js';
export { documentFields, type FilterDocument, filterFields, filterPredicate, matchesFilter } from './filter.js';
export { describeFingerprint, fingerprintKey } from './fingerprint.js';
export { byScore, type Fused, type FusionMethod, type FusionOptions, fuse, type Leg, type LegScore } from './fusion.js';
export { decideGate, type GateDecision, type HydeMode } from './gate.js';
export { type Cleaned, type CleanOptions, cleanHypothesis, type DropReason, type Hypothesis } from './hypothesis.js';
export { defaultHypotheses, paperHypotheses } from './hypothesis-count.js';
export type { IndexInput, IndexSource } from './index-input.js';
export type { IndexOptions, IndexProgress } from './index-options.js';
export { indexText } from './index-text.js';
export { type IndexInputs, type IndexReport, indexDocuments } from './indexing.js';
export { type ExpandKeywordsOptions, expandKeywords, extractKeywords, type KeywordOptions } from './keywords.js';
export { type LegReport, measureLegs, refreshLegBalance } from './leg-balance.js';
export { type NeedleOptions, type NeedleReport, needleTest } from './needle-test.js';
export type {
  GivenHypothesis,
  MmrSettings,
  PromptSettings,
  RerankSettings,
  SearchOptions,
  TrimSettings,
} from './options.js';
export { formatWhere, parseWhere } from './parse-where.js';
export type {
  CallOptions,
  Chunk,
  Clause,
  Condition,
  Document,
  DocumentRecord,
  Embedder,
  EmbedLimits,
  Filter,
  Fingerprint,
  GenerateOptions,
  Generation,
  Generator,
  Json,
  LegBalance,
  MatchOptions,
  ModelCache,
  NearOptions,
  Prompt,
  Question,
  Requirement,
  Reranker,
  Role,
  Scored,
  ScoredList,
  Span,
  Store,
  StoreInfo,
  TermCount,
  TermPart,
  WeightedPrefix,
  WeightedTerm,
} from './ports.js';
export {
  type HypothesisPromptOptions,
  hypothesisPrompt,
  promptVersion,
  standalonePrompt,
  type Turn,
} from './prompt.js';
export type { DocumentType } from './prompt-documents.js';
export { type ReembedOptions, type ReembedProgress, type ReembedReport, reembed } from './reembed.js';
export type { ReloadOptions, ReloadParts, ReloadReport } from './reload.js';
export type {
  Degraded,
  EmptyReason,
  Hit,
  HypothesisTrace,
  LegName,
  LegTrace,
  Mode,
  SearchResult,
  Stage,
  Trace,
} from './result.js';
export type { SearchPorts } from './run.js';
export type { ScoreScale } from './score-scale.js';
export type { SearchStep } from './search.js';
export type { ModelCaches } from './search-memory.js';
export {
  type KeptSentence,
  keepSentences,
  type PassageSentence,
  passageSentences,
  trimFloor,
} from './sentence-trim.js';
export {
  type AskStandaloneOptions,
  askStandaloneQuestion,
  type StandaloneQuestion,
  standaloneQuestion,
} from './standalone-question.js';
export { createSurmise, type Surmise, type SurmiseParts } from './surmise.js';
export { createTokenBudget, type TokenBudget } from './token-budget.js';
export { type AverageOptions, averageEmbeddings, isUnitNorm, norm, normalize } from './vectors.js';
export type { BesideVector, StoreWithBeside, VectorsBeside } from './vectors-beside.js';
export type { Why, WhyNot } from './why.js';
