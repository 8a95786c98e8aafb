import { analyze, analyzeQuery, createBm25Index, loadBm25Index } from '../../dist/kernels/index.js';
import { spread } from '../measure.js';
import { contest, present, recallOf, rowOf } from './contest.js';
import { readPassages, readQuestions } from './passages.js';
import { textPeers } from './text-peers.js';
import { random } from './vectors.js';

const k = 100;
const passageCount = 100_000;

/** Every engine is asked for the same words, in its own form of them. */
export async function textRows({ data, peerNames, count, rounds, absent }) {
  const passages = readPassages(data, passageCount, 21);
  const questions = readQuestions(data, count);
  const started = performance.now();
  const index = createBm25Index();
  passages.forEach((text, at) => {
    index.add(String(at), analyze(text, 'en'));
  });
  const buildMs = performance.now() - started;
  const made = {};
  for (const name of peerNames) {
    const peer = await present(absent, name, () => textPeers[name](passages));
    if (peer !== undefined) made[name] = peer;
  }
  const builds = Object.fromEntries(Object.entries(made).map(([name, peer]) => [name, peer.buildMs]));
  const others = Object.entries(made).map(([name, { search }]) => [name, (words) => search(words, k)]);

  const find = (terms) => index.search(terms, { k }).hits.map(({ id }) => Number(id));
  const allWords = (words) => find(plain(analyze(words.join(' '), 'en')));
  const exact = exhaustive(passages);
  const some = questions.slice(0, 5);
  const wanted = some.map((words) => exact(analyze(words.join(' '), 'en'), k));

  const eight = await contest({ surmise: allWords, ...Object.fromEntries(others) }, questions, rounds);
  const results = [rowOf('bm25-100k', eight, recallOf(some.map(allWords), wanted), { buildMs, builds })];

  // Without words that say nothing, which is how Surmise asks and what costs the others most.
  const content = questions.map((words) => {
    const kept = words.filter((word) => analyzeQuery(`${word} lantern`, 'en').length > 1);
    return kept.length > 0 ? kept : words;
  });
  const times = await contest({ surmise: allWords, ...Object.fromEntries(others) }, content, rounds);
  const contentWanted = content.slice(0, 5).map((words) => exact(analyze(words.join(' '), 'en'), k));
  results.push(rowOf('bm25-100k-content-words', times, recallOf(content.slice(0, 5).map(allWords), contentWanted)));

  const weighted = weightedTerms(passages, questions.length, index);
  const wide = await contest({ surmise: find }, weighted, rounds);
  const eightWords = wide.surmise.median / eight.surmise.median;
  results.push({ ...rowOf('bm25-100k-128-terms', wide, 1), ratio: { eightWords } });
  results.push(savedRow(index, passages, plain(analyze(questions[0].join(' '), 'en')), { buildMs, rounds }));
  return results;
}

/** Opening a saved copy and asking it once, and what one document costs that is written to it. */
function savedRow(index, passages, question, { buildMs, rounds }) {
  const { write } = index.toBlocks({ all: true });
  const times = [];
  let found;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    found = loadBm25Index(write).search(question, { k });
    times.push(performance.now() - started);
  }
  const loaded = loadBm25Index(write);
  loaded.add('0', analyze(passages[1], 'en'));
  const changed = bytesOf(loaded.toBlocks().write);
  const note = `${(changed / 1e3).toFixed(2)} KB written for a changed passage`;
  const wanted = index.search(question, { k }).hits.map(({ id }) => id);
  const recall = recallOf([found.hits.map(({ id }) => id)], [wanted]);
  const row = rowOf('bm25-100k-loaded', { surmise: spread(times) }, recall, { note });
  return { ...row, ratio: { build: row.ms / buildMs, writtenBytes: changed / bytesOf(write) } };
}

function bytesOf(parts) {
  return Array.from(parts.values()).reduce((sum, { length }) => sum + length, 0);
}

function plain(terms) {
  return terms.map((term) => ({ term, weight: 1 }));
}

/** 128 terms of passages that stand together, none in more than a tenth of all: what hypotheses bring. */
function weightedTerms(passages, count, index) {
  const next = random(23);
  return Array.from({ length: count }, () => {
    const weights = new Map();
    for (let at = Math.floor(next() * passages.length); weights.size < 128; at = (at + 1) % passages.length)
      for (const term of analyze(passages[at], 'en'))
        if (term.length > 1 && index.frequency(term) <= passages.length / 10) weights.set(term, next() + 0.01);
    return Array.from(weights, ([term, weight]) => ({ term, weight })).slice(0, 128);
  });
}

/** BM25 by its formula over every passage, without postings. */
function exhaustive(passages) {
  const documents = passages.map((text) => {
    const terms = analyze(text, 'en');
    const counts = new Map();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { counts, length: terms.length };
  });
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const [k1, b] = [0.9, 0.4];
  return (terms, wanted) => {
    const scores = new Float64Array(documents.length);
    for (const term of terms) {
      const df = documents.filter(({ counts }) => counts.has(term)).length;
      const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
      documents.forEach(({ counts, length }, at) => {
        const tf = counts.get(term) ?? 0;
        scores[at] += (idf * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * length) / mean));
      });
    }
    // Equal but for rounding counts as equal; ties go by id.
    const rounded = Array.from(scores, (score) => Number(score.toFixed(9)));
    const order = rounded.map((score, at) => ({ id: String(at), score })).filter(({ score }) => score > 0);
    order.sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1));
    return order.slice(0, wanted).map(({ id }) => Number(id));
  };
}
