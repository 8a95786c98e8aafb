import { longestWhole } from './compound.js';

/** What a character is here, 0 of what is left to the general way. A comma stands between digits only. */
const [lowerCase, upperCase, digit, joint, slash] = [1, 2, 3, 4, 5];
const kinds = new Uint8Array(128);
for (const [from, to, kind] of [
  ['a', 'z', lowerCase],
  ['A', 'Z', upperCase],
  ['0', '9', digit],
] as const)
  for (let unit = from.charCodeAt(0); unit <= to.charCodeAt(0); unit++) kinds[unit] = kind;
for (const character of '._-:@#&+=~,') kinds[character.charCodeAt(0)] = joint;
for (const character of '/\\') kinds[character.charCodeAt(0)] = slash;

/** Of the joints, those that mean something between two digits. */
const digitJoints: ReadonlySet<number> = new Set(Array.from('.-:/', (character) => character.charCodeAt(0)));
const longestJoint = 3;
/** A date and time are cut there. */
const timeMark = 'T'.charCodeAt(0);

function kindAt(text: string, at: number): number {
  const unit = at < text.length ? text.charCodeAt(at) : 128;
  return unit < 128 ? kinds[unit]! : 0;
}

/** Whether a change of case begins a part: `readAll` and `XMLFile` have two, `DNAs` has one. */
function isHump(text: string, at: number): boolean {
  if (kindAt(text, at) !== upperCase) return false;
  const before = kindAt(text, at - 1);
  if (before === lowerCase) return true;
  return before === upperCase && kindAt(text, at + 1) === lowerCase && kindAt(text, at + 2) === lowerCase;
}

/**
 * What `wordPieces` gives for the only word of a piece of text, in one pass, where the piece is of ASCII letters and
 * digits at both ends and of them and joints between. Undefined for what it leaves to the general way: other characters,
 * apostrophes, dates with times, more than 96 units.
 */
export function asciiPieces(piece: string): string[] | undefined {
  const { length } = piece;
  if (length > longestWhole || kindAt(piece, length - 1) >= joint) return undefined;
  const pieces: string[] = [];
  const wholes: string[] = [];
  const lower = piece.toLowerCase();
  let joined = '';
  /** Where the word, and where the part of it, begins. */
  let word = 0;
  let part = 0;
  let joints = 0;
  /** What stands between slashes. */
  let segment = '';
  let segmentWords = 0;
  let isSegmented = false;
  for (let at = 0; at < length; at++) {
    const kind = kindAt(piece, at);
    if (kind === 0) return undefined;
    if (kind < joint) {
      if (joints > 0) {
        word = at;
        part = at;
        joints = 0;
      } else if (at > 0 && isHump(piece, at)) {
        pieces.push(lower.slice(part, at));
        part = at;
      } else if (at > 0 && piece.charCodeAt(at) === timeMark && kindAt(piece, at - 1) === digit) return undefined;
      continue;
    }
    if (at === 0 || ++joints > longestJoint) return undefined;
    if (joints === 1) {
      const isKept =
        digitJoints.has(piece.charCodeAt(at)) && kindAt(piece, at - 1) === digit && kindAt(piece, at + 1) === digit;
      pieces.push(lower.slice(part, at));
      if (part > word) wholes.push(lower.slice(word, at));
      joined += lower.slice(word, isKept ? at + 1 : at);
      segment += lower.slice(word, isKept && kind === joint ? at + 1 : at);
      segmentWords++;
    }
    if (kind !== slash) continue;
    isSegmented = true;
    if (segmentWords > 1) wholes.push(segment);
    segment = '';
    segmentWords = 0;
  }
  pieces.push(lower.slice(part));
  if (pieces.length === 1) return pieces;
  if (part > word && word > 0) wholes.push(lower.slice(word));
  if (isSegmented && segmentWords > 0) wholes.push(segment + lower.slice(word));
  return [...pieces, ...wholes, joined + lower.slice(word)];
}
