const joints = /['\u2019._\-:/\\@#&+=~\u00b7\u2010\u2013,]+/u;
const allJoints = new RegExp(joints, 'gu');
const hierarchy = /[/\\]+/;
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const mixedCase = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const digitJoint = /(?<=\p{Nd})[.\-:/\u2013](?=\p{Nd})/gu;
/** No whole form beyond this: its parts say enough, and the vocabulary stays small. */
export const longestWhole = 96;

export interface Compound {
  /** In text order. */
  readonly parts: readonly string[];
  /** Joined forms, where there is more than one part: `std::vector` has `stdvector`, `2024-11-05` itself. */
  readonly wholes: readonly string[];
}

/** Joints go, so that `wi-fi`, `wi_fi`, `wiFi` and `wifi` meet; between two digits they mean something and stay. */
function joined(text: string): string {
  const kept = text.replace(digitJoint, '\u0000$&\u0000');
  if (kept === text) return text.replace(allJoints, '');
  return kept
    .split('\u0000')
    .map((piece, index) => (index % 2 === 1 ? piece.replace('\u2013', '-') : piece.replace(allJoints, '')))
    .join('');
}

/** Splits a word token into its parts and the joined forms under which it is found as typed. */
export function splitCompound(token: string): Compound {
  const simple = !joints.test(token);
  if (simple && !mixedCase.test(token)) return { parts: [token], wholes: [] };
  const parts: string[] = [];
  const wholes: string[] = [];
  const segments = hierarchy.test(token) ? token.split(hierarchy).filter((segment) => segment !== '') : [token];
  for (const segment of segments) {
    const words = segment.split(joints).filter((word) => word !== '');
    for (const word of words) {
      const pieces = mixedCase.test(word) ? word.split(humps) : [word];
      for (const piece of pieces) parts.push(piece);
      if (pieces.length > 1 && (words.length > 1 || segments.length > 1)) wholes.push(word);
    }
    if (words.length > 1 && segments.length > 1) wholes.push(joined(segment));
  }
  if (parts.length > 1 && token.length <= longestWhole) wholes.push(joined(token));
  return { parts, wholes };
}
