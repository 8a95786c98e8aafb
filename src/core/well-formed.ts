/** Half of a surrogate pair: not text, and not the same on disk as in memory. */
const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** Whether a text is valid Unicode: each surrogate is one of a pair. */
export function isWellFormed(text: string): boolean {
  return !loneSurrogate.test(text);
}

/** The text with U+FFFD for each surrogate that is alone; of the same length. */
export function toWellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}
