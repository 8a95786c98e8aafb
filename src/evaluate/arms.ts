import { SurmiseError } from '../core/errors.js';
import type { SearchOptions } from '../core/options.js';

/** One way to search that is compared with others. */
export interface Arm {
  /** Canonical: mode, then what is added to it in the order of the table of variants. */
  readonly name: string;
  readonly mode: 'lexical' | 'dense' | 'hybrid';
  /** The best passages of the plain search stand in as hypotheses. */
  readonly feedback: boolean;
  /** Hypotheses of a generator or of a file. */
  readonly hyde: boolean;
  /** The gate decides for each question; else hypotheses are used for all. */
  readonly gated: boolean;
  /** What else differs from the defaults of a search. */
  readonly options: Pick<SearchOptions, 'anchor' | 'expansion' | 'fusion' | 'scale' | 'denseWeight'>;
}

interface Variant {
  readonly options?: Arm['options'];
  /** What has to be there for it to make a difference. */
  readonly needs?: 'hyde' | 'hybrid' | 'hypotheses';
}

const modes: readonly Arm['mode'][] = ['lexical', 'dense', 'hybrid'];

/** What may follow a mode. Of those that set the same option one may be given. */
const variants: Readonly<Record<string, Variant>> = {
  rrf: { options: { fusion: 'rrf' }, needs: 'hybrid' },
  pool: { options: { scale: 'pool' }, needs: 'hybrid' },
  max: { options: { scale: 'max' }, needs: 'hybrid' },
  zscore: { options: { scale: 'z-score' }, needs: 'hybrid' },
  even: { options: { denseWeight: 0.5 }, needs: 'hybrid' },
  feedback: {},
  hyde: {},
  parity: { options: { anchor: 'parity' }, needs: 'hyde' },
  concat: { options: { anchor: 'concat' }, needs: 'hyde' },
  alone: { options: { anchor: 'hypothesis' }, needs: 'hyde' },
  query2doc: { options: { expansion: 'query2doc' }, needs: 'hyde' },
  auto: { needs: 'hypotheses' },
};

/**
 * The arm of a name such as `hybrid+feedback+hyde`; the order of what follows the mode is free.
 *
 * @throws SurmiseError `bad_argument`
 */
export function parseArm(text: string): Arm {
  const [first, ...given] = text.trim().split('+');
  const mode = modes.find((known) => known === first);
  const has = (name: string) => given.includes(name);
  const wrong = given.find((name, index) => !Object.hasOwn(variants, name) || given.indexOf(name) < index);
  if (mode === undefined || wrong !== undefined)
    throw new SurmiseError(
      'bad_argument',
      `There is no arm '${text}'. An arm is lexical, dense or hybrid, then as wanted, each once: ` +
        `${Object.keys(variants)
          .map((name) => `+${name}`)
          .join(', ')}, as in hybrid+feedback.`,
    );
  const met = { hyde: has('hyde'), hybrid: mode === 'hybrid', hypotheses: has('hyde') || has('feedback') };
  const names = Object.keys(variants).filter(has);
  const options: Arm['options'] = {};
  for (const name of names) {
    const { options: own = {}, needs } = variants[name]!;
    if (needs !== undefined && !met[needs])
      throw new SurmiseError(
        'bad_argument',
        `In the arm '${text}' +${name} makes no difference: it needs ${needs === 'hypotheses' ? '+hyde or +feedback' : needs}.`,
      );
    const taken = Object.keys(own).find((option) => Object.hasOwn(options, option));
    if (taken !== undefined)
      throw new SurmiseError('bad_argument', `In the arm '${text}' two parts set ${taken}. Give one of them.`);
    Object.assign(options, own);
  }
  return {
    name: [mode, ...names].join('+'),
    mode,
    feedback: has('feedback'),
    hyde: has('hyde'),
    gated: has('auto'),
    options,
  };
}

/** The arms of a list separated by commas, in its order. Throws `bad_argument` for an unknown arm and one given twice. */
export function parseArms(text: string): Arm[] {
  const arms = text.split(',').map(parseArm);
  const twice = arms.find((arm, i) => arms.findIndex((other) => other.name === arm.name) < i);
  if (twice !== undefined)
    throw new SurmiseError('bad_argument', `The arm '${twice.name}' is given twice. Name each arm once.`);
  return arms;
}
