/**
 * For long work on one thread: called between its parts, what it returns lets other tasks (an abort, a timer) have their
 * turn whenever `ms` milliseconds have passed since they last had it.
 */
export function takeTurns(ms: number): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < ms) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
  };
}
