import { SurmiseError } from '../core/errors.js';

/** One way to search that is compared with others. */
export interface Arm {
  /** Canonical: mode, then `+feedback`, then `+hyde`. */
  readonly name: string;
  readonly mode: 'lexical' | 'dense' | 'hybrid';
  /** The best passages of the plain search stand in as hypotheses. */
  readonly feedback: boolean;
  /** Hypotheses of a generator or of a file. */
  readonly hyde: boolean;
}

const modes: readonly Arm['mode'][] = ['lexical', 'dense', 'hybrid'];

/** The arm of a name such as `hybrid+feedback+hyde`; the order of what follows the mode is free. Throws `bad_argument`. */
export function parseArm(text: string): Arm {
  const [first, ...suffixes] = text.trim().split('+');
  const mode = modes.find((known) => known === first);
  const feedback = suffixes.includes('feedback');
  const hyde = suffixes.includes('hyde');
  if (mode === undefined || suffixes.length !== Number(feedback) + Number(hyde)) {
    throw new SurmiseError(
      'bad_argument',
      `There is no arm '${text}'. An arm is lexical, dense or hybrid, then +feedback and +hyde as wanted, each once, as in hybrid+feedback.`,
    );
  }
  return { name: `${mode}${feedback ? '+feedback' : ''}${hyde ? '+hyde' : ''}`, mode, feedback, hyde };
}

/** The arms of a list separated by commas, in its order. Throws `bad_argument` for an unknown arm and one given twice. */
export function parseArms(text: string): Arm[] {
  const arms = text.split(',').map(parseArm);
  const twice = arms.find((arm, i) => arms.findIndex((other) => other.name === arm.name) < i);
  if (twice !== undefined)
    throw new SurmiseError('bad_argument', `The arm '${twice.name}' is given twice. Name each arm once.`);
  return arms;
}
