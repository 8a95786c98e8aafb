type Kernel<Name extends string> = Record<Name, (...args: number[]) => number>;

const compiled = new Map<Uint8Array, WebAssembly.Module>();

/**
 * Once for each kernel. Nothing where compiling is forbidden (Cloudflare Workers, pages without 'wasm-unsafe-eval') or
 * there is no SIMD.
 */
export function compileKernel(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | undefined {
  let module = compiled.get(bytes);
  try {
    module ??= new WebAssembly.Module(bytes);
  } catch {
    return undefined;
  }
  compiled.set(bytes, module);
  return module;
}

/** The functions of a kernel that works on a memory. TypeError for a module without them, which names the `file`. */
export function instantiateKernel<Name extends string>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  names: readonly Name[],
  file: string,
): Kernel<Name> {
  let cause: unknown;
  try {
    const { exports } = new WebAssembly.Instance(module, { surmise: { memory } });
    if (names.every((name) => typeof exports[name] === 'function')) return exports as Kernel<Name>;
  } catch (error) {
    cause = error;
  }
  throw new TypeError(`The kernel is not a compiled ${file} of this version.`, { cause });
}
