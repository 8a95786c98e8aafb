/** Names of the parts of a saved BM25 index, and how much is in one. Segments have numbers that are not used twice. */
export const manifestName = 'bm25';
export const segmentName = (segment: number) => `segment.${segment}`;
export const idsName = (segment: number, page: number) => `ids.${segment}.${page}`;
export const postingsName = (segment: number, field: number, block: number) => `postings.${segment}.${field}.${block}`;
export const sequencesName = (segment: number, page: number) => `sequences.${segment}.${page}`;
export const deadName = (segment: number, page: number) => `dead.${segment}.${page}`;

export const rowsOfIdsPage = 1_024;
export const rowsOfSequencesPage = 256;
/** A block of postings ends with the term that reaches one of these. */
export const mostTermsOfBlock = 256;
export const mostBytesOfBlock = 16_384;

/** Where saved parts are read from: a Map, or anything that finds them when they are needed. */
export interface PartSource {
  get(name: string): Uint8Array | undefined;
}

/** What errors about bytes begin with. */
export const savedParts = 'The parts of this saved BM25 index';

export function damagedPart(name: string, reason: string): RangeError {
  return new RangeError(`The saved BM25 index can not be used: the part "${name}" ${reason}.`);
}
