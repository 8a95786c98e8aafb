import { untilAbort } from './deadline.js';
import { decideGate } from './gate.js';
import { wantedOf } from './hypotheses.js';
import type { SearchOptions } from './options.js';
import { type SearchPorts, startRun } from './run.js';
import type { SearchMemory } from './search-memory.js';
import { reasonNotToWrite } from './writing-gate.js';

/**
 * Writes hypotheses ahead of a search. A newer call ends the one before it, unless a search has joined that.
 *
 * @returns a function that settles when the hypotheses are there, or can not be; it throws what is wrong with the
 *   question, the options or the store
 */
export function prefetchHypotheses(ports: SearchPorts, memory: SearchMemory) {
  let leaveLast = () => {};
  let newest = 0;
  return async (question: string, options: SearchOptions = {}): Promise<void> => {
    const turn = ++newest;
    const run = await startRun(ports, memory, question, options);
    // What was begun later may be ready earlier.
    if (turn < newest) return;
    leaveLast();
    const { hyde, hypotheses, prompt } = run.settings;
    const { generator, empty } = run;
    if (generator === undefined || empty !== undefined || hypotheses !== undefined) return;
    // What it shows is not known before the search.
    if (prompt?.mode === 'steered') return;
    if (!decideGate(run.asked, hyde).open) return;
    if ((await reasonNotToWrite(run)) !== undefined || turn < newest) return;
    const wanted = wantedOf(run, generator);
    // The search that asks the same will report it.
    await memory.generations.recall(wanted.key).catch(() => {});
    if (turn < newest) return;
    const writing = memory.generations.write(generator, wanted);
    if (writing === undefined) return;
    leaveLast = () => writing.leave(false);
    await untilAbort(writing.all, run.settings.signal).catch(() => {});
    writing.leave(false);
  };
}
