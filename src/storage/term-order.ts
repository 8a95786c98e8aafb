/** Characters of ASCII that a number for sorting holds: 28 bits, and 24 are left for the place. */
const prefixLength = 4;
const placeBits = 24;
/** Up to so many are put in order one by one, without the memory that sorting takes. */
const fewTerms = 16;
const halfOfPair = /[\ud800-\udfff]/;

type Compare = (a: string, b: string) => number;

/**
 * The places of the terms, each of which is there once, in the order of their bytes. Numbers are sorted ten times as fast as
 * strings: one holds the beginning of a term with its place, and terms that begin alike are compared afterwards.
 */
export function termOrder(terms: readonly string[]): Uint32Array {
  const order = new Uint32Array(terms.length);
  // Units order as bytes do but for characters beyond 16 bits.
  const compare: Compare = terms.some((term) => halfOfPair.test(term)) ? byBytes : byUnits;
  if (terms.length >= 2 ** placeBits) return sort(Uint32Array.from(terms.keys()), terms, compare);
  const keys = new Float64Array(terms.length);
  for (let place = 0; place < terms.length; place++) keys[place] = prefixOf(terms[place]!) * 2 ** placeBits + place;
  keys.sort();
  for (let at = 0; at < keys.length; at++) order[at] = keys[at]! % 2 ** placeBits;
  const beginning = (at: number) => Math.floor(keys[at]! / 2 ** placeBits);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && beginning(end) === beginning(start)) end++;
    if (end - start > fewTerms) sort(order.subarray(start, end), terms, compare);
    else insert(order, start, end, terms, compare);
    start = end;
  }
  return order;
}

/** A character beyond ASCII is as high as can be, and ends what is looked at: those that begin so are compared. */
function prefixOf(term: string): number {
  let prefix = 0;
  let beyond = false;
  for (let at = 0; at < prefixLength; at++) {
    // Behind the end it is as low as can be. So is U+0000, which is compared.
    const unit = at < term.length ? term.charCodeAt(at) : 0;
    beyond ||= unit > 0x7e;
    prefix = prefix * 128 + (beyond ? 127 : unit);
  }
  return prefix;
}

/** Insertion sort of the places from `start` to `end`. */
function insert(order: Uint32Array, start: number, end: number, terms: readonly string[], compare: Compare): void {
  for (let next = start + 1; next < end; next++) {
    const place = order[next]!;
    const term = terms[place]!;
    let at = next;
    for (; at > start && compare(terms[order[at - 1]!]!, term) > 0; at--) order[at] = order[at - 1]!;
    order[at] = place;
  }
}

function sort(places: Uint32Array, terms: readonly string[], compare: Compare): Uint32Array {
  return places.sort((a, b) => compare(terms[a]!, terms[b]!));
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
