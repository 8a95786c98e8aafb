/** The least of the k largest of some numbers, kept while they come: a heap whose root is that number. */
export interface Largest {
  offer(value: number): void;
  /** The k-th largest, minus infinity as long as there are fewer. */
  least(): number;
}

export function createLargest(k: number): Largest {
  const heap: number[] = [];
  return {
    offer(value) {
      if (heap.length < k) {
        heap.push(value);
        siftUp(heap, heap.length - 1);
      } else if (value > heap[0]!) {
        heap[0] = value;
        siftDown(heap, 0);
      }
    },
    least: () => (heap.length < k ? Number.NEGATIVE_INFINITY : heap[0]!),
  };
}

/** The same of the largest number of each group. */
export interface LargestOfGroups {
  offer(group: number, value: number): void;
  /** The largest of the group so far, as far as it matters to `least`; minus infinity before the first. */
  of(group: number): number;
  least(): number;
}

export function createLargestOfGroups(k: number, count: number): LargestOfGroups {
  const best = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  /** Where in the heap a group is, -1 where it is not. */
  const places = new Int32Array(count).fill(-1);
  const heap: number[] = [];
  const groups: number[] = [];
  const moved = (group: number, place: number) => {
    places[group] = place;
  };
  return {
    offer(group, value) {
      if (!(value > best[group]!)) return;
      best[group] = value;
      const place = places[group]!;
      if (place >= 0) {
        heap[place] = value;
        siftDown(heap, place, groups, moved);
      } else if (heap.length < k) {
        heap.push(value);
        groups.push(group);
        siftUp(heap, heap.length - 1, groups, moved);
      } else if (value > heap[0]!) {
        places[groups[0]!] = -1;
        heap[0] = value;
        groups[0] = group;
        siftDown(heap, 0, groups, moved);
      }
    },
    of: (group) => best[group]!,
    least: () => (heap.length < k ? Number.NEGATIVE_INFINITY : heap[0]!),
  };
}

type Moved = (key: number, place: number) => void;

function siftUp(heap: number[], from: number, keys?: number[], moved?: Moved): void {
  const value = heap[from]!;
  const key = keys?.[from];
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= value) break;
    put(heap, at, heap[parent]!, keys, keys?.[parent], moved);
    at = parent;
  }
  put(heap, at, value, keys, key, moved);
}

function siftDown(heap: number[], from: number, keys?: number[], moved?: Moved): void {
  const value = heap[from]!;
  const key = keys?.[from];
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    put(heap, at, heap[child]!, keys, keys?.[child], moved);
    at = child;
  }
  put(heap, at, value, keys, key, moved);
}

function put(heap: number[], at: number, value: number, keys?: number[], key?: number, moved?: Moved): void {
  heap[at] = value;
  if (keys === undefined || key === undefined) return;
  keys[at] = key;
  moved?.(key, at);
}
