/**
 * Runs `work` for 0 … count − 1, at most `limit` at a time, and gives the results in that order. Rejects with the first
 * error; work that has not begun by then is not begun.
 */
export async function inParallel<T>(count: number, limit: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      try {
        results[index] = await work(index);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
  return results;
}
