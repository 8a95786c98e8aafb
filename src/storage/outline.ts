import { corrupt, decoded } from './stored.js';

/**
 * The headings and headers of a document's chunks, each once: chunks of one section or table have the same ones. A chunk
 * refers to them by their place in one list, in which headings are lists of titles and headers are strings.
 */
export function createOutline() {
  const places = new Map<string, number>();
  /** Chunks of one section follow one another. */
  let last: { readonly part: readonly string[] | string; readonly place: number } | undefined;
  return {
    /** null for what is empty. */
    place(part: readonly string[] | string): number | null {
      if (part.length === 0) return null;
      if (last?.part === part) return last.place;
      const json = JSON.stringify(part);
      const place = places.get(json) ?? places.size;
      places.set(json, place);
      last = { part, place };
      return place;
    },
    json: () => (places.size === 0 ? '' : `[${[...places.keys()].join()}]`),
  };
}

interface StoredOutline {
  heading(place: number | null): string[];
  /** Empty where there is none. */
  header(place: number | null): string;
}

export function storedOutline(json: string): StoredOutline {
  const parts = json === '' ? [] : decoded('an outline', (): unknown => JSON.parse(json));
  if (!Array.isArray(parts)) throw corrupt('An outline that is no list');
  return {
    heading(place) {
      const part: unknown = place === null ? [] : parts[place];
      if (!Array.isArray(part) || !part.every((title) => typeof title === 'string'))
        throw corrupt('A heading that is no list of strings');
      return [...part];
    },
    header(place) {
      const part: unknown = place === null ? '' : parts[place];
      if (typeof part !== 'string') throw corrupt('A header that is no string');
      return part;
    },
  };
}
