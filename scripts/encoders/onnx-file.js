/** Writes models in the ONNX format: Protocol Buffers, of which only what is needed. Field numbers are those of onnx.proto. */
import { open } from 'node:fs/promises';

const elementTypes = { float: 1, int64: 7 };
const attributeTypes = { f: 1, i: 2, ints: 7 };

/** A graph that grows by `op`, which gives the name of the node's output. */
export function onnxGraph() {
  const nodes = [];
  const constants = new Map();
  return {
    nodes,
    constants,
    constant(name, type, data, dims) {
      constants.set(name, { type, data, dims });
      return name;
    },
    op(type, inputs, attributes = {}, output = `${type}_${nodes.length}`) {
      nodes.push({ type, inputs, attributes, output });
      return output;
    },
  };
}

/**
 * @param inputs, outputs lists of `{ name, type, dims }`; a dimension is a number or the name of one that varies
 */
export async function writeOnnx(path, { nodes, constants }, inputs, outputs) {
  const graph = [
    ...nodes.map((node) => field(1, nodeMessage(node))),
    field(2, text('encoder')),
    ...[...constants].map(([name, tensor]) => field(5, tensorMessage(name, tensor))),
    ...inputs.map((value) => field(11, valueMessage(value))),
    ...outputs.map((value) => field(12, valueMessage(value))),
  ];
  const opset = [field(1, text('')), number(2, 17)];
  const file = await open(path, 'w');
  try {
    for (const part of [number(1, 8), field(7, graph), field(8, opset)].flat(Number.POSITIVE_INFINITY))
      await file.writeFile(part);
  } finally {
    await file.close();
  }
}

function nodeMessage({ type, inputs, attributes, output }) {
  return [
    ...inputs.map((name) => field(1, text(name))),
    field(2, text(output)),
    field(3, text(`${output}_node`)),
    field(4, text(type)),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeMessage(name, value))),
  ];
}

/** A list is whole numbers, a number with a fraction is a float; `axis` and its like are whole. */
function attributeMessage(name, value) {
  const kind = Array.isArray(value) ? 'ints' : Number.isInteger(value) ? 'i' : 'f';
  const content =
    kind === 'ints' ? value.map((each) => number(8, each)) : kind === 'i' ? [number(3, value)] : [float(2, value)];
  return [field(1, text(name)), ...content, number(20, attributeTypes[kind])];
}

function tensorMessage(name, { type, data, dims }) {
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return [...dims.map((each) => number(1, each)), number(2, elementTypes[type]), field(8, text(name)), field(9, [raw])];
}

function valueMessage({ name, type, dims }) {
  const shape = dims.map((each) => field(1, [typeof each === 'number' ? number(1, each) : field(2, text(each))]));
  return [field(1, text(name)), field(2, [field(1, [number(1, elementTypes[type]), field(2, shape)])])];
}

/** A part with its length in front. Parts are lists of buffers, however deep, so that nothing large is copied. */
function field(id, parts) {
  const flat = parts.flat(Number.POSITIVE_INFINITY);
  const length = flat.reduce((sum, part) => sum + part.length, 0);
  return [varint(id * 8 + 2), varint(length), ...flat];
}

function number(id, value) {
  return Buffer.concat([varint(id * 8), varint(value)]);
}

function float(id, value) {
  const bytes = Buffer.alloc(5);
  bytes[0] = id * 8 + 5;
  bytes.writeFloatLE(value, 1);
  return bytes;
}

function text(value) {
  return [Buffer.from(value)];
}

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
