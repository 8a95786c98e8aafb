/** Half of a surrogate pair: not text, and not the same on disk as in memory. */
const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** What strings know by themselves since ES2024: they tell of a text in Latin letters without reading it. */
interface Native {
  readonly isWellFormed?: () => boolean;
  readonly toWellFormed?: () => string;
}

/** Whether a text is valid Unicode: each surrogate is one of a pair. */
export function isWellFormed(text: string & Native): boolean {
  return text.isWellFormed?.() ?? !loneSurrogate.test(text);
}

/** The text with U+FFFD for each surrogate that is alone; of the same length. */
export function toWellFormed(text: string & Native): string {
  return text.toWellFormed?.() ?? text.replace(loneSurrogates, '\ufffd');
}
