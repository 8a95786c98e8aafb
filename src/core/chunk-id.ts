/** `<document>#<ordinal>`: the same chunk has the same id in every leg, store and run. */
export function chunkId(document: string, ordinal: number): string {
  return `${document}#${ordinal}`;
}

/** The document that a chunk id names, and the chunk's place in it counting from 0; NaN for what is no chunk id. */
export function parseChunkId(id: string): { document: string; ordinal: number } {
  const mark = id.lastIndexOf('#');
  const ordinal = id.slice(mark + 1);
  // One spelling for each chunk: `x#01` names none.
  const valid = mark > 0 && /^(?:0|[1-9]\d*)$/.test(ordinal);
  return { document: id.slice(0, Math.max(mark, 0)), ordinal: valid ? Number(ordinal) : Number.NaN };
}
