import { checkEmbedder } from './check-embedder.js';
import { SurmiseError } from './errors.js';
import type { SearchPorts } from './run.js';

const methods = { generator: 'generate', feedback: 'generate', reranker: 'rerank' } as const;

/**
 * What is no port is found when parts are put together, not by the searches that go without it.
 *
 * @throws SurmiseError `bad_argument` that names the part
 */
export function checkPorts(ports: Partial<Omit<SearchPorts, 'store'>>): void {
  if (ports.embedder !== undefined) checkEmbedder(ports.embedder);
  for (const [name, method] of Object.entries(methods)) {
    const port: unknown = ports[name as keyof typeof methods];
    const own = typeof port === 'object' && port !== null ? (port as Record<string, unknown>)[method] : undefined;
    if (port !== undefined && typeof own !== 'function')
      throw new SurmiseError('bad_argument', `The ${name} must be an object with a method "${method}".`);
  }
}
