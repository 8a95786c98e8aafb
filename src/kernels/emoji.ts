const joiner = '\u200d';
const variation = /[\ufe0e\ufe0f]/g;
const modifier = /\p{Emoji_Modifier}/gu;

/**
 * Terms of an emoji: the sequence without variation selectors, then its simpler forms (without skin tone, its members),
 * so that a plain thumb finds a toned one.
 */
export function emojiTerms(sequence: string): string[] {
  const whole = sequence.replace(variation, '');
  const terms = new Set([whole]);
  for (const member of whole.split(joiner)) terms.add(member.replace(modifier, '') || member);
  return [...terms];
}
