/** The platform's WebAssembly, which the types of Node 20 do not know. */
export const webAssembly = Reflect.get(globalThis, 'WebAssembly') as { Module: new (bytes: Uint8Array) => object };

/** Runs it as where WebAssembly may not be compiled at run time, though modules that are compiled run. */
export function withoutCompiler<T>(run: () => T): T {
  const { Module } = webAssembly;
  webAssembly.Module = class {
    constructor() {
      throw new Error('Wasm code generation disallowed by embedder');
    }
  };
  try {
    return run();
  } finally {
    webAssembly.Module = Module;
  }
}
