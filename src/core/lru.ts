/** A map that forgets what was not used for longest. */
export interface Lru<V> {
  /** The value, which counts as used now; a stored `undefined` can not be told from none. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
  readonly size: number;
}

/** At most `entries` values whose sizes add up to at most `size`; a value that is larger than that is not kept. */
export function createLru<V>(entries: number, size = Number.POSITIVE_INFINITY, sizeOf: (value: V) => number = () => 0) {
  const values = new Map<string, V>();
  let total = 0;
  const remove = (key: string) => {
    const value = values.get(key);
    if (value === undefined) return;
    total -= sizeOf(value);
    values.delete(key);
  };
  const lru: Lru<V> = {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) {
        values.delete(key);
        values.set(key, value);
      }
      return value;
    },
    set(key, value) {
      remove(key);
      if (sizeOf(value) > size) return;
      values.set(key, value);
      total += sizeOf(value);
      for (const oldest of values.keys()) {
        if (values.size <= entries && total <= size) break;
        remove(oldest);
      }
    },
    clear() {
      values.clear();
      total = 0;
    },
    get size() {
      return values.size;
    },
  };
  return lru;
}
