import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { spread } from '../measure.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
/** A turn lasts at least so long, so that what is quick is not measured by its first calls only. */
const turnMs = 50;

/**
 * Times contenders in turn, round after round, each with all questions, so that what the machine does meanwhile falls on
 * all of them.
 *
 * @param contenders functions by name; the first is ours
 * @returns milliseconds for one question: `{ min, median, max }` by name
 */
export async function contest(contenders, questions, rounds) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, search] of Object.entries(contenders)) {
      // What one leaves behind is not to be cleaned up in the time of the next. A full collection would throw away
      // compiled code as well.
      collectGarbage({ type: 'minor' });
      await turn(search, questions.slice(0, 1));
      times[name].push(await turn(search, questions));
    }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, spread(values)]));
}

/** Milliseconds for one question. */
async function turn(search, questions) {
  const started = performance.now();
  let asked = 0;
  for (; asked === 0 || performance.now() - started < turnMs; asked += questions.length)
    for (const question of questions) await search(question);
  return (performance.now() - started) / asked;
}

/** A row of results: our time, and its ratio to that of each other, by medians. */
export function rowOf(name, times, recall, more = {}) {
  const [[, ours], ...others] = Object.entries(times);
  const ratio = Object.fromEntries(others.map(([peer, { median }]) => [peer, ours.median / median]));
  return { name, recall, ms: ours.median, ratio, times, ...more };
}

/** How many of the wanted were found, from 0 to 1. */
export function recallOf(found, wanted) {
  const hits = wanted.map((rows, at) => rows.filter((row) => found[at].includes(row)).length);
  return hits.reduce((sum, count) => sum + count, 0) / wanted.reduce((sum, rows) => sum + rows.length, 0);
}

/** Makes a peer; where it can not be loaded, says so and gives nothing. */
export async function present(absent, name, make) {
  const started = performance.now();
  try {
    return { search: await make(), buildMs: performance.now() - started };
  } catch (error) {
    absent[name] = String(error.message).split('\n')[0];
    console.error(`${name} is absent: ${absent[name]}`);
    return undefined;
  }
}
