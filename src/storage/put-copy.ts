import type { Document, DocumentRecord, Fingerprint, Json } from '../core/index.js';
import { metadataJson } from './check-records.js';

/**
 * Records that can be sent to another thread, and that no later change of the caller's reaches. All vectors are views of
 * one array: a message then holds one buffer, and not all of a larger one that they were parts of. Vectors that are not as
 * they should be are left as they are, for who writes to refuse.
 *
 * @throws SurmiseError `bad_data` for metadata that JSON can not hold
 */
export function copyRecords(
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
): DocumentRecord[] {
  const dimensions = fingerprint?.dimensions ?? 0;
  const isGood = (vector: unknown) => vector instanceof Float32Array && vector.length === dimensions;
  let vectors = 0;
  for (const { chunks } of records) for (const { vector } of chunks) if (isGood(vector)) vectors++;
  const values = new Float32Array(vectors * dimensions);
  let used = 0;
  const copied = (vector: Float32Array) => {
    if (!isGood(vector)) return vector;
    values.set(vector, used);
    used += dimensions;
    return values.subarray(used - dimensions, used);
  };
  // Chunks of one section have one heading, of which one copy is enough.
  let last: { readonly given: readonly string[]; readonly copy: readonly string[] } | undefined;
  const copiedHeading = (given: readonly string[]) => {
    if (last?.given !== given) last = { given, copy: [...given] };
    return last.copy;
  };
  return records.map(({ document, hash, chunks }) => ({
    document: copyDocument(document),
    hash,
    chunks: chunks.map(({ start, end, heading, header, vector, key }) => ({
      start,
      end,
      ...(heading && { heading: copiedHeading(heading) }),
      ...(header && { header }),
      ...(vector && { vector: copied(vector) }),
      ...(key !== undefined && { key }),
    })),
  }));
}

function copyDocument(document: Document): Document {
  const { id, text, title, path, language, metadata, collection } = document;
  return {
    id,
    text,
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
    ...(language !== undefined && { language }),
    // As JSON has it: a message would keep a date as a date.
    ...(metadata !== undefined && { metadata: JSON.parse(metadataJson(document)) as Readonly<Record<string, Json>> }),
    ...(collection !== undefined && { collection }),
  };
}
