import type { Document, DocumentRecord, Fingerprint, Json } from '../core/index.js';

/**
 * Records that can be sent to another thread, and that no later change of the caller's reaches; undefined where that is
 * not so, because vectors are not as they should be. All vectors are views of one array: a message then holds one buffer,
 * and not all of a larger one that they were parts of.
 */
export function copyRecords(
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
): DocumentRecord[] | undefined {
  const dimensions = fingerprint?.dimensions ?? 0;
  let vectors = 0;
  for (const { chunks } of records)
    for (const { vector } of chunks) {
      if (vector === undefined) continue;
      if (!(vector instanceof Float32Array) || dimensions === 0 || vector.length !== dimensions) return undefined;
      vectors++;
    }
  const values = new Float32Array(vectors * dimensions);
  let used = 0;
  const copied = (vector: Float32Array) => {
    values.set(vector, used);
    used += dimensions;
    return values.subarray(used - dimensions, used);
  };
  return records.map(({ document, hash, chunks }) => ({
    document: copyDocument(document),
    hash,
    chunks: chunks.map(({ start, end, heading, header, vector, key }) => ({
      start,
      end,
      ...(heading && { heading: [...heading] }),
      ...(header && { header }),
      ...(vector && { vector: copied(vector) }),
      ...(key !== undefined && { key }),
    })),
  }));
}

function copyDocument({ id, text, title, path, language, metadata, collection }: Document): Document {
  return {
    id,
    text,
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
    ...(language !== undefined && { language }),
    ...(metadata !== undefined && { metadata: asWritten(metadata) }),
    ...(collection !== undefined && { collection }),
  };
}

/** Metadata as JSON has it: a message would keep a date as a date. */
function asWritten(metadata: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return JSON.parse(JSON.stringify(metadata)) as Readonly<Record<string, Json>>;
}
