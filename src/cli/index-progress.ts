import type { Embedder } from '../core/index.js';
import { type Cost, costOf } from './index-budget.js';
import type { RunProgress } from './index-run.js';

/** Before so much time has passed a rate says nothing. */
const settlingMs = 2_000;

/** The progress of indexing as one line: how much, how fast, what it costs, and how long it will take. */
export function describeProgress(started: number, embedder: Embedder | undefined): (progress: RunProgress) => string {
  return ({ seen, total, bytes = 0, chunks, tokens, waiting }) => {
    const ms = performance.now() - started;
    const read = total === undefined ? `${count(seen)} documents` : `${count(seen)} of ${count(total.files)} files`;
    const parts = [read, `${count(chunks)} chunks`];
    if (embedder !== undefined && tokens > 0) parts.push(`${count(tokens)} tokens${cost(tokens, embedder)}`);
    if (total !== undefined && ms > settlingMs && bytes > 0) {
      const rate = bytes / ms;
      parts.push(`${(rate / 1_000).toFixed(1)} MB/s`, `about ${durationOf((total.bytes - bytes) / rate)} left`);
    }
    if (waiting !== undefined) parts.push(`waiting ${durationOf(waiting.ms)}: ${waiting.reason}`);
    return parts.join(', ');
  };
}

/** Whole seconds, minutes from one minute on, hours and minutes from one hour on. */
function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function cost(tokens: number, embedder: Embedder): string {
  const about = costOf(tokens, embedder);
  return about === undefined ? '' : `, ${renderCost(about)}`;
}

/** `about 0.0200 USD`. */
export function renderCost({ amount, currency }: Cost): string {
  return `about ${amount.toFixed(4)} ${currency}`;
}
