import { basename } from 'node:path';

/** JSON above this is data of programs, in bytes. */
const maxJson = 1_000_000;

const generatedName =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|composer\.lock|.+\.min\.(?:js|mjs|cjs|css|html)|.+\.map|.+(?:_pb2\.pyi?|\.pb\.(?:go|cc|h)|\.g\.dart))$/i;

/** Why a file of this name is taken for the work of a tool; undefined when it is not. */
export function generatedDetail(path: string, size = 0): string | undefined {
  const name = basename(path);
  if (generatedName.test(name)) return `${name}; give the file itself to index it`;
  if (/\.json$/i.test(name) && size > maxJson) return `${size} bytes of JSON; give the file itself to index it`;
  return undefined;
}
