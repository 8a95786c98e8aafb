/** `<document>#<ordinal>`: the same chunk has the same id in every leg, store and run. */
export function chunkId(document: string, ordinal: number): string {
  return `${document}#${ordinal}`;
}

/** The document that a chunk id names, and the chunk's place in it counting from 0. */
export function parseChunkId(id: string): { document: string; ordinal: number } {
  const mark = id.lastIndexOf('#');
  return { document: id.slice(0, Math.max(mark, 0)), ordinal: Number(id.slice(mark + 1)) };
}
