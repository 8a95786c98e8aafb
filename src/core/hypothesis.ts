/** A passage that would answer the question, and where it came from. */
export interface Hypothesis {
  readonly text: string;
  readonly source: 'generator' | 'caller' | 'feedback';
  /** What it counts beside the others; 1 where it is not given. */
  readonly weight?: number;
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
// The reasoning of models that answer in channels; what follows the last of them is the answer.
const channel = /<\|channel\|>(?:analysis|commentary)\b[\s\S]*?(?:<\|end\|>|(?=<\|start\|>)|$)/g;
const templateToken =
  /<\|(?:im_start|start|start_header_id|channel)\|>(?:assistant|final)?|<\|[^|<>]{1,40}\|>|<\/?s>|\[\/?INST\]|<(?:start|end)_of_turn>(?:user|model)?/g;
// Fences of bounded length: with any length, a model that babbles backticks costs time cubic in their number.
const fence = /^\s*(`{3,8}(?!`)|~{3,8}(?!~))[^\n]*\n([\s\S]*?)\n?\1\s*$/;
const announcements = [
  // A whole line that ends in a colon; on the line of the passage itself only what names the passage.
  /^(?:sure|certainly|of course|here|claro|por supuesto|aqu[ií]|voici|bien sûr|hier|natürlich|gern|ecco|certo|конечно|вот|当然|好的|以下|もちろん|물론)[^\n]{0,160}[:：][^\S\n]*\n/i,
  /^(?:sure|certainly|of course|here(?:['’]s| is))\b[^\n:]{0,100}\b(?:passage|paragraph|answer)\b[^\n:]{0,60}:/i,
  /^(?:\*\*)?(?:passage|answer)(?:\*\*)?:(?:\*\*)?/i,
];
const refusals = [
  /^i['’]?m (?:sorry|unable)|^i am (?:sorry|unable|an? (?:ai|language model)\b)|^sorry[,.!]|^i apologi[sz]e|^as an? (?:ai|language model)\b/i,
  /^(?:unfortunately, )?i (?:cannot|can['’]?t|do not|don['’]?t|am unable to) (?:help|assist|provide|answer|have|know|write|fulfil)/i,
  /^lo siento|^no puedo|^como modelo|^desculpe|^sinto muito|^não posso|^mi dispiace|^non posso/i,
  /^(?:je suis )?désolé|^je ne peux|^en tant que modèle|^het spijt me|^helaas kan ik/i,
  /^(?:es )?tut mir leid|^leider kann ich|^ich kann (?:(?:dir|ihnen|leider|dabei) ){0,3}nicht|^als (?:ki|sprachmodell)\b/i,
  /^извините|^к сожалению, я|^я не могу|^как языковая модель/i,
  /^(?:很)?抱歉|^对不起|^對不起|^我(?:无法|無法|不能)|^作为.{0,4}(?:AI|人工智能|语言模型)/i,
  /^申し訳|^すみません|^죄송|^عذر|^آسف|^أعتذر|^क्षमा करें/,
];
const placeholder = /\[(?:insert|your|name|topic|placeholder)\b[^\]]{0,60}\](?!\()|\{\{[^}]{0,60}\}\}|lorem ipsum/i;

/** What is left when case, marks and spacing do not count; two texts that differ in nothing else are copies. */
function essence(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function unannounced(text: string): string {
  return announcements.reduce((rest, pattern) => rest.replace(pattern, '').trim(), text);
}

/**
 * Takes wrappers off a generated passage (closed thinking blocks, template tokens, one code fence, words that only
 * announce the passage) and says whether the rest can serve as a hypothesis. What is unusable is dropped, not mended.
 */
export function cleanHypothesis(raw: string, question: string): Cleaned {
  if (raw.length > 4 * maxCharacters) return { dropped: 'too long' };
  let text = raw.replace(thinking, ' ');
  if (openThinking.test(text)) return { dropped: 'unfinished thinking' };
  text = unannounced(text.replace(channel, ' ').replace(templateToken, ' ').trim());
  text = unannounced(fence.exec(text)?.[2] ?? text).normalize('NFC');
  if (essence(text) === '') return { dropped: 'empty' };
  if (refusals.some((pattern) => pattern.test(text))) return { dropped: 'refusal' };
  if (placeholder.test(text)) return { dropped: 'placeholder' };
  if (essence(text) === essence(question)) return { dropped: 'copy of the question' };
  // One Han, Kana, Hangul or Thai character says about as much as three Latin ones.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu);
  if (text.length + 2 * (dense?.length ?? 0) < minCharacters) return { dropped: 'too short' };
  if (text.length > maxCharacters) return { dropped: 'too long' };
  return { text };
}
