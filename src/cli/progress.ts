import { spinner } from '@clack/prompts';
import { oneLine } from './printable.js';

export interface Progress {
  update(message: string): void;
  /** Takes the progress line away. */
  end(): void;
}

/** How often the line changes at most, so that showing costs nothing. */
const intervalMs = 80;

/** UTF-16 units. */
const width = 200;

/** A progress line on stderr where that is a terminal; nothing elsewhere, so that logs and pipes stay clean. */
export function startProgress(message: string, quiet = false): Progress {
  if (quiet || !process.stderr.isTTY || !process.stderr.columns) return { update() {}, end() {} };
  const line = spinner({ output: process.stderr, indicator: 'timer' });
  line.start(oneLine(message, width));
  let last = 0;
  return {
    update(text) {
      const now = performance.now();
      if (now - last < intervalMs) return;
      last = now;
      line.message(oneLine(text, width));
    },
    end: () => line.clear(),
  };
}
