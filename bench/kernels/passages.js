import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './vectors.js';

const collection = 'trec-dl-pool';

export function hasPassages(data) {
  return existsSync(join(data, collection, 'corpus.jsonl'));
}

/** So many passages: those of the collection, then as many words again out of its sentences, put together by chance. */
export function readPassages(data, count, seed) {
  const passages = lines(data, 'corpus').map(({ text }) => text);
  const sentences = passages.flatMap((text) => text.split(/(?<=[.!?]) /));
  const meanLength = passages.reduce((sum, { length }) => sum + length, 0) / passages.length;
  const next = random(seed);
  while (passages.length < count) {
    let text = '';
    while (text.length < meanLength - 50) text += `${sentences[Math.floor(next() * sentences.length)]} `;
    passages.push(text);
  }
  return passages.slice(0, count);
}

/** Questions of eight words: the collection's, lengthened by the words of the next, or cut. */
export function readQuestions(data, count) {
  const texts = lines(data, 'queries').map(({ text }) => text.match(/[a-z0-9]+/gi) ?? []);
  return Array.from({ length: count }, (_, at) => {
    const words = [];
    for (let from = at; words.length < 8; from++) words.push(...texts[from % texts.length]);
    return words.slice(0, 8);
  });
}

function lines(data, name) {
  const text = readFileSync(join(data, collection, `${name}.jsonl`), 'utf8');
  return text.trim().split('\n').map(JSON.parse);
}
