/**
 * node scripts/chunk-sizes.js [--size N,N…] [--overlap SHARE,SHARE…] [--report] [SET …]
 *
 * How well chunks of each size find what the collections in SURMISE_DATA ask for. Their documents are short, so they are
 * joined to Markdown files: those of one title, where titles repeat, else ten in order of id, each under its title. A
 * chunk stands for the documents that it overlaps, the largest part first; what counts is the nDCG@10 of these. `found`
 * is the share of relevant documents within the best chunks that have 2,000 tokens together. Only every second question
 * is asked, 120 of a collection at most: a size is chosen on one half, and checked on the other with --report. Run
 * `npm run build` first.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { createSurmise } from '../dist/core/index.js';
import { evaluateRun, readQrels } from '../dist/evaluate/index.js';
import { readMarkdown } from '../dist/files/markdown.js';
import { loadStaticEmbedder } from '../dist/local/index.js';
import { feedbackGenerator } from '../dist/models/index.js';
import { openSqliteStore } from '../dist/storage/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '128,192,256,320,400,512' },
    overlap: { type: 'string', default: '0' },
    report: { type: 'boolean', default: false },
  },
});
const data = resolve(fileURLToPath(new URL('..', import.meta.url)), process.env.SURMISE_DATA ?? '../shared/data');
const sets = positionals.length > 0 ? positionals : ['scifact', 'nfcorpus', 'cranfield', 'xquad-en', 'faquad'];
const numbers = (list) => list.split(',').map(Number);
const perFile = 10;
const mostQuestions = 120;
const budget = 2_000;
const arms = {
  lexical: { mode: 'lexical', hyde: 'off' },
  dense: { mode: 'dense', hyde: 'off' },
  'hybrid+feedback': {},
};

const embedder = await loadStaticEmbedder();
const lines = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const rows = (path) => lines(path).map((line) => JSON.parse(line));

/** Files, and where in them each document is. */
function joined(corpus) {
  const titles = new Set(corpus.map(({ title }) => title));
  const repeat = titles.size * 3 < corpus.length;
  const groups = new Map(corpus.map(({ title }) => [title, []]));
  for (const document of corpus) groups.get(document.title).push(document);
  const lists = repeat
    ? [...groups.values()]
    : corpus.flatMap((_, index) => (index % perFile === 0 ? [corpus.slice(index, index + perFile)] : []));
  return lists.map((documents, index) => {
    let text = repeat ? `# ${documents[0].title}\n\n` : '';
    const places = documents.map((document) => {
      if (!repeat && document.title) text += `## ${document.title}\n\n`;
      const start = text.length;
      text += `${document.text}\n\n`;
      return { id: document._id, start, end: text.length - 2 };
    });
    return { id: `file-${index}`, text, places };
  });
}

async function measure(set, chunking) {
  const files = joined(rows(join(data, set, 'corpus.jsonl')));
  const places = new Map(files.map((file) => [file.id, file.places]));
  const qrels = await readQrels(lines(join(data, set, 'qrels', 'test.tsv')), set);
  const judged = rows(join(data, set, 'queries.jsonl')).filter(({ _id }) => qrels.has(_id));
  const half = judged.filter((_, index) => index % 2 === (values.report ? 1 : 0));
  const step = Math.max(1, half.length / mostQuestions);
  const asked = Array.from({ length: Math.min(mostQuestions, half.length) }, (_, n) => half[Math.floor(n * step)]);
  const store = openSqliteStore({ path: ':memory:' });
  const surmise = createSurmise({ store, embedder, feedback: feedbackGenerator() });
  const inputs = files.map(({ id, text }) => ({ document: { id, text }, blocks: readMarkdown(text).blocks }));
  const { chunks } = await surmise.index(inputs, { chunking });
  const scores = {};
  for (const [name, options] of Object.entries(arms)) {
    const run = new Map();
    let found = 0;
    for (const { _id, text } of asked) {
      const { hits } = await surmise.search(text, { ...options, per: 'chunk', k: 100 });
      const ids = new Set();
      const within = new Set();
      let tokens = 0;
      for (const { document, start, end, text } of hits) {
        tokens += embedder.countTokens(text);
        const parts = places.get(document).map((place) => ({
          id: place.id,
          size: Math.min(end, place.end) - Math.max(start, place.start),
        }));
        for (const { id } of parts.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size)) {
          ids.add(id);
          if (tokens <= budget) within.add(id);
        }
      }
      run.set(
        _id,
        [...ids].map((id, rank) => ({ id, score: 1 / (rank + 1) })),
      );
      const relevant = [...qrels.get(_id)].filter(([, grade]) => grade > 0).map(([id]) => id);
      found += relevant.length === 0 ? 0 : relevant.filter((id) => within.has(id)).length / relevant.length;
    }
    const { mean } = evaluateRun(qrels, run, ['nDCG@10'], { queries: run.keys() });
    scores[name] = { ndcg: mean['nDCG@10'], found: found / asked.length };
  }
  await store.close();
  return { chunks, scores };
}

const head = ['size', 'overlap', 'chunks', ...Object.keys(arms).flatMap((name) => [name, 'found'])];
const settings = numbers(values.size).flatMap((size) => numbers(values.overlap).map((share) => ({ size, share })));
const all = settings.map(() => []);

function print(title, results) {
  const table = new Table({ head: [title, ...head], style: { head: [], border: [] } });
  for (const [index, { size, share }] of settings.entries()) {
    const measured = results[index];
    const mean = (of) => (measured.reduce((sum, result) => sum + of(result), 0) / measured.length).toFixed(4);
    table.push([
      '',
      size,
      `${share * 100} %`,
      measured.reduce((sum, { chunks }) => sum + chunks, 0),
      ...Object.keys(arms).flatMap((name) => [
        mean(({ scores }) => scores[name].ndcg),
        mean(({ scores }) => scores[name].found),
      ]),
    ]);
  }
  console.log(table.toString());
}

for (const set of sets) {
  const results = [];
  for (const { size, share } of settings)
    results.push([await measure(set, { size, overlap: Math.floor(size * share) })]);
  for (const [index, [result]] of results.entries()) all[index].push(result);
  print(set, results);
}
if (sets.length > 1) print('mean of all', all);
