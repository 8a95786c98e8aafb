import { SurmiseError } from './errors.js';

/** In UTF-16 units. */
const longestName = 100;

/**
 * The name of a collection begins with a letter or digit, and holds only these, `. _ -` and spaces; at most 100 characters.
 *
 * @throws SurmiseError `bad_argument`
 */
export function checkCollectionName(name: string): void {
  if (name.length > longestName)
    throw new SurmiseError('bad_argument', `The name of a collection must have at most ${longestName} characters.`);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._ -]*$/u.test(name))
    throw new SurmiseError(
      'bad_argument',
      'The name of a collection must begin with a letter or digit, and hold only these, ". _ -" and spaces.',
    );
}
