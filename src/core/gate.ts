import { unspacedScripts } from './unspaced-scripts.js';
import type { WritingReason } from './writing-gate.js';

export type HydeMode = 'auto' | 'on' | 'off';

export interface GateDecision {
  /** Whether hypotheses (generated or fed back from the index) are to be used. */
  readonly open: boolean;
  readonly reason: string;
  /** Why no generator was asked although the gate is open. */
  readonly generation?: 'budget' | 'breaker open' | WritingReason;
}

/** Single quotes are apostrophes too often to say anything. */
const quoted = /^\s*["“«„][^"”»“]+["”»“]\s*$/;
const hasDigitOrMark = /[\d_./\\:#@$<>(){}[\]=;|]|^-/;
const camelCase = /\p{Ll}\p{Lu}/u;
const codeMarks = /\{[^{}]*[;:=(][^{}]*\}|;\s*(?:$|\n|\})|=>|->|::|\(\)|<\/|\$\{|==|&&/;
const unspaced = new RegExp(`[${unspacedScripts}]`, 'gu');

/** Questions above this length read like passages already. */
const passageWords = 60;
/** Characters to a word, about, in scripts without spaces. */
const unspacedWord = 2;

/**
 * Decides whether a question gains from hypotheses. Identifiers, quoted phrases and code name exactly what they want;
 * a passage is its own hypothesis; for these only the plain legs run. `on` and `off` are followed as given.
 */
export function decideGate(question: string, mode: HydeMode): GateDecision {
  if (mode === 'off') return { open: false, reason: 'switched off' };
  if (mode === 'on') return { open: true, reason: 'switched on' };
  const words = question.split(/\s+/u).filter((word) => word !== '');
  const characters = question.match(unspaced)?.length ?? 0;
  if (quoted.test(question)) return { open: false, reason: 'quoted phrase' };
  if (
    characters === 0 &&
    words.length === 1 &&
    (hasDigitOrMark.test(question.replace(/[?!.]+$/u, '')) || camelCase.test(question))
  )
    return { open: false, reason: 'identifier' };
  if (codeMarks.test(question)) return { open: false, reason: 'code' };
  if (words.length + characters / unspacedWord > passageWords)
    return { open: false, reason: 'the question reads like a passage' };
  return { open: true, reason: 'question' };
}
