import { untilAbort } from './deadline.js';
import { SurmiseError } from './errors.js';
import type { CheckedOptions } from './options.js';
import type { Generator } from './ports.js';
import type { Trace } from './result.js';
import type { SearchPorts } from './run.js';
import type { SearchMemory } from './search-memory.js';
import { askStandaloneQuestion } from './standalone-question.js';

/** Of the deadline, what saying the question in full may take. */
const share = 0.4;

/**
 * The question as it is meant after what was said before, shared and kept as hypotheses are: the same question after the
 * same conversation asks nobody twice.
 *
 * @throws SurmiseError only `aborted`
 */
export async function fullQuestion(
  { generator }: SearchPorts,
  memory: SearchMemory,
  asked: string,
  { history = [], deadlineMs, signal }: CheckedOptions,
): Promise<{ readonly question: string; readonly trace: NonNullable<Trace['standalone']> }> {
  const started = performance.now();
  if (generator === undefined) return { question: asked, trace: { asked, doubt: 'no generator is configured', ms: 0 } };
  const { question, doubt, reason } = await askStandaloneQuestion(shared(generator, memory), history, asked, {
    deadlineMs: Math.max(1, share * deadlineMs),
    ...(signal && { signal }),
  });
  const why = reason ?? doubt;
  const ms = performance.now() - started;
  return { question, trace: { asked, ...(why !== undefined && { doubt: why }), ms } };
}

function shared(generator: Generator, { generations }: SearchMemory): Generator {
  return {
    id: generator.id,
    async generate(prompt, { signal }) {
      const key = JSON.stringify(['standalone', String(generator.id), prompt.system, prompt.user]);
      const usable = ({ text }: { readonly text: string }) => text.trim() !== '';
      const writing = generations.write(generator, { key, prompt, n: 1, usable });
      if (writing === undefined)
        throw new SurmiseError('provider_failed', generations.refusal(generator) ?? 'breaker open');
      try {
        return [...(await untilAbort(writing.all, signal))];
      } finally {
        writing.leave(false);
      }
    },
  };
}
