/** A passage that would answer the question, and where it came from. */
export interface Hypothesis {
  readonly text: string;
  readonly source: 'generator' | 'caller' | 'feedback';
  readonly vector?: Float32Array;
}

export type DropReason =
  | 'empty'
  | 'unfinished thinking'
  | 'refusal'
  | 'placeholder'
  | 'copy of the question'
  | 'too short'
  | 'too long'
  | 'duplicate';

export type Cleaned = { readonly text: string } | { readonly dropped: DropReason };

const minCharacters = 20;
const maxCharacters = 8_000;

const thinking = /<(think|thinking|reasoning|scratchpad)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const openThinking = /<\/?(?:think|thinking|reasoning|scratchpad)\b/i;
const templateToken = /<\|[^|<>]{1,40}\|>|<\/?s>|\[\/?INST\]|<(?:start|end)_of_turn>(?:user|model)?/g;
const fence = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/;
const preamble = /^(?:sure|certainly|of course|here(?:'s| is| are))\b[^\n]{0,160}:\s*\n?/i;
const refusal =
  /^(?:i['’]?m (?:sorry|unable)|i am (?:sorry|unable|an? (?:ai|language model))|sorry,|i (?:cannot|can['’]?t|do not|don['’]?t) (?:help|assist|provide|answer|have|know|write|fulfil)|as an? (?:ai|language model)|lo siento|no puedo|desculpe|não posso|je (?:suis désolé|ne peux)|es tut mir leid|ich kann (?:dir |ihnen )?(?:leider |dabei )?nicht)/i;
const placeholder = /\[(?:insert|your|name|topic|placeholder)\b[^\]]{0,60}\]|\{\{[^}]{0,60}\}\}|lorem ipsum/i;

/** What is left when case, marks and spacing do not count; two texts that differ in nothing else are copies. */
function essence(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Takes wrappers off a generated passage (closed thinking blocks, template tokens, one code fence, a line that only
 * announces the passage) and says whether the rest can serve as a hypothesis. What is unusable is dropped, not mended.
 */
export function cleanHypothesis(raw: string, question: string): Cleaned {
  if (raw.length > 4 * maxCharacters) return { dropped: 'too long' };
  let text = raw.replace(thinking, ' ');
  if (openThinking.test(text)) return { dropped: 'unfinished thinking' };
  text = text.replace(templateToken, ' ').trim();
  text = (fence.exec(text)?.[2] ?? text).replace(preamble, '').trim().normalize('NFC');
  if (text === '') return { dropped: 'empty' };
  if (refusal.test(text)) return { dropped: 'refusal' };
  if (placeholder.test(text)) return { dropped: 'placeholder' };
  if (essence(text) === essence(question)) return { dropped: 'copy of the question' };
  // One Han, Kana, Hangul or Thai character says about as much as three Latin ones.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu);
  if (text.length + 2 * (dense?.length ?? 0) < minCharacters) return { dropped: 'too short' };
  if (text.length > maxCharacters) return { dropped: 'too long' };
  return { text };
}
