import { SurmiseError } from '../core/errors.js';

/** Throws `bad_argument` when `options` has a key that is not in `known`. */
export function checkNames(what: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new SurmiseError('bad_argument', `Unknown option "${name}" of ${what}. Known: ${known.join(', ')}.`);
}

/** Throws `bad_argument` unless `value` is a whole number from `low` to `high`; returns it. */
export function checkWhole(name: string, value: unknown, low: number, high: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
  throw new SurmiseError('bad_argument', `"${name}" must be a whole number from ${low} to ${high}.`);
}
