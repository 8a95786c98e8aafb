/** A map that never holds more than `limit` entries; when it is full the oldest half goes. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Two generations: a hit in the old one moves the entry to the new one, so that frequent keys survive. */
export function createBoundedCache<Value>(limit: number): BoundedCache<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  function set(key: string, value: Value): void {
    if (young.size >= limit / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }
  function get(key: string): Value | undefined {
    const value = young.get(key);
    if (value !== undefined) return value;
    const earlier = old.get(key);
    if (earlier !== undefined) set(key, earlier);
    return earlier;
  }
  return { get, set };
}
