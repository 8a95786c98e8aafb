/** The parts of a table file; `header` and `vocabulary` may be made wrong on purpose. */
export interface TableParts {
  readonly dimensions: number;
  readonly vocabulary: readonly string[];
  readonly scales: readonly number[];
  readonly values: readonly number[];
  /** Fields of the header in place of the right ones. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A table file in format 1, written after its description and not with the reader's code. */
export function tableBytes({ dimensions, vocabulary, scales, values, header = {} }: TableParts): Uint8Array {
  const encoder = new TextEncoder();
  const rows = vocabulary.length;
  const head = encoder.encode(JSON.stringify({ format: 1, dim: dimensions, rows, unk: 0, ...header }));
  const padding = (4 - (head.length % 4)) % 4;
  const tail = encoder.encode(vocabulary.join('\n'));
  const bytes = new Uint8Array(4 + head.length + padding + 4 * scales.length + values.length + tail.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, head.length, true);
  bytes.set(head, 4);
  let at = 4 + head.length + padding;
  for (const scale of scales) {
    view.setFloat32(at, scale, true);
    at += 4;
  }
  for (const value of values) view.setInt8(at++, value);
  bytes.set(tail, at);
  return bytes;
}

/** Two dimensions, six pieces: "sail" points east, "##boat" north, "##s" nowhere, "!" west, "é" is never reached. */
export const smallTable: TableParts = {
  dimensions: 2,
  vocabulary: ['[UNK]', 'sail', '##boat', '##s', '!', 'é'],
  scales: [1, 0.5, 0.25, 1, 2, 1],
  values: [-127, -127, 6, 0, 0, 16, 0, 0, -1, 0, 100, 100],
};
