import type { SpinnerResult } from '@clack/prompts';
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

/**
 * A progress line on stderr where that is a terminal; nothing elsewhere, so that logs and pipes stay clean. Work does not
 * wait for what draws it.
 */
export function startProgress(message: string, quiet = false): Progress {
  if (quiet || !process.stderr.isTTY || !process.stderr.columns) return { update() {}, end() {} };
  let line: SpinnerResult | undefined;
  let ended = false;
  let last = 0;
  const start = async () => {
    const { spinner } = await import('@clack/prompts');
    if (ended) return;
    line = spinner({ output: process.stderr, indicator: 'timer' });
    line.start(oneLine(message, width));
  };
  void start();
  return {
    update(text) {
      const now = performance.now();
      if (now - last < intervalMs) return;
      last = now;
      line?.message(oneLine(text, width));
    },
    end() {
      ended = true;
      line?.clear();
    },
  };
}
