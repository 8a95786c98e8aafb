export { type HydeSearchOptions, type HydeSearchResult, hydeSearch, type VectorItem } from './hyde-search.js';
export {
  expMap0,
  expMap0 as euclideanToPoincare,
  hyperbolicDistance,
  type KarcherOptions,
  karcherMean,
  logMap0,
  logMap0 as poincareToEuclidean,
  mobiusAdd,
  mobiusScale,
  projectToBall,
} from './hyperbolic.js';
export { type MmrCandidate, type MmrOptions, type MmrPick, mmr } from './mmr.js';
export { type Normalisation, normalizeBy } from './normalisation.js';
export { type RankedIds, type RrfOptions, reciprocalRankFusion } from './reciprocal-rank-fusion.js';
export { type AverageOptions, averageEmbeddings, cosine, isUnitNorm, norm, normalize } from './vectors.js';
