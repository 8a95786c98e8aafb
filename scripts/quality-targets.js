/**
 * What each way to search must reach on the full test queries. `least` is a figure, or is computed from the other arms
 * of the same run.
 *
 * @typedef {Record<string, Record<string, number>>} Arms
 * @typedef {{ arm: string, measure: string, least: number | ((arms: Arms) => number) }} Target
 * @typedef {{ set: string, arms: string[], hypotheses?: string, targets: Target[] }} QualityRun
 */

/** @param {string} arm @param {number} least @param {string} [measure] @returns {Target} */
const atLeast = (arm, least, measure = 'nDCG@10') => ({ arm, measure, least });

/** @param {string} arm @param {string} other @param {number} [slack] @returns {Target} */
const notBelow = (arm, other, slack = 0) => ({
  arm,
  measure: 'nDCG@10',
  least: (arms) => arms[other]['nDCG@10'] - slack,
});

const plain = ['lexical', 'lexical+feedback', 'dense', 'hybrid', 'hybrid+feedback'];
const withHyde = ['lexical+hyde', 'lexical+feedback+hyde', 'hybrid+hyde', 'hybrid+feedback+hyde'];
const multilingual = ['lexical', 'lexical+feedback'];

/** @type {QualityRun[]} */
export const runs = [
  {
    set: 'scifact',
    arms: plain,
    targets: [
      atLeast('lexical', 0.675),
      notBelow('lexical+feedback', 'lexical'),
      atLeast('lexical+feedback', 0.925, 'R@100'),
      atLeast('hybrid', 0.69),
      notBelow('hybrid+feedback', 'hybrid', 0.003),
    ],
  },
  { set: 'scifact', hypotheses: 'llama3.1-8b', arms: withHyde, targets: [atLeast('lexical+hyde', 0.7)] },
  {
    set: 'nfcorpus',
    arms: plain,
    targets: [
      atLeast('lexical', 0.32),
      atLeast('lexical+feedback', 0.335),
      atLeast('lexical+feedback', 0.3, 'R@100'),
      atLeast('hybrid', 0.335),
      atLeast('hybrid+feedback', 0.345),
      notBelow('hybrid+feedback', 'hybrid', 0.003),
    ],
  },
  {
    set: 'trec-dl-pool',
    arms: plain,
    targets: [
      atLeast('lexical', 0.48),
      atLeast('lexical+feedback', 0.495),
      notBelow('hybrid+feedback', 'hybrid', 0.003),
    ],
  },
  {
    set: 'trec-dl-pool',
    hypotheses: 'llama-3.1-8b-instruct',
    arms: withHyde,
    targets: [atLeast('lexical+hyde', 0.64)],
  },
  {
    set: 'cranfield',
    arms: plain,
    targets: [
      atLeast('lexical', 0.345),
      atLeast('lexical+feedback', 0.355),
      atLeast('hybrid', 0.365),
      notBelow('hybrid+feedback', 'hybrid', 0.003),
    ],
  },
  {
    set: 'xquad-en',
    arms: plain,
    targets: [
      atLeast('lexical', 0.965),
      notBelow('lexical+feedback', 'lexical', 0.01),
      atLeast('hybrid', 0.97),
      notBelow('hybrid+feedback', 'hybrid', 0.003),
    ],
  },
  {
    set: 'xquad-es',
    arms: multilingual,
    targets: [atLeast('lexical', 0.945), notBelow('lexical+feedback', 'lexical', 0.01)],
  },
  {
    set: 'faquad',
    arms: multilingual,
    targets: [atLeast('lexical', 0.885), notBelow('lexical+feedback', 'lexical', 0.01)],
  },
];
