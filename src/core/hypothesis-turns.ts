/** Tokens of the chat templates of ChatML, Llama, Mistral, Gemma, Phi, DeepSeek, Harmony and their like. */
const token =
  /<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|<\/?s>|<(?:bos|eos|pad|unk)>|\[\/?(?:INST|SYSTEM_PROMPT)\]|<(?:start|end)_of_turn>/g;
const opensTurn = /^<(?:\|(?:im_start|start|start_header_id|header_start|channel)\||start_of_turn)>$/;
const endsTurn = /^(?:<\|(?:im_end|eot_id|eot|end|end_of_turn)\|>|<end_of_turn>|<\/s>|\[\/INST\])$/;
const roleName = /^\s{0,3}(assistant|model|user|system|developer|tool|final|analysis|commentary)\b:?/;
const roleToken = /^(?:<\||<｜)(user|system|assistant|tool)/i;
const notTheModel = new Set(['user', 'system', 'developer', 'tool', 'analysis', 'commentary']);

const speaker =
  'User|Human|Question|Query|Usuario|Pregunta|Pergunta|Frage|Domanda|Vraag|Вопрос|Пользователь|问题|用户|質問|질문|السؤال|प्रश्न';
const nextTurn = new RegExp(
  `\\n[^\\S\\n]{0,8}(?:#{1,4} ?|\\*\\*)?(?:${speaker})(?: ?\\d{1,2})?(?:\\*\\*)? ?[:：]`,
  'g',
);
/** UTF-16 units that must stand before an invented turn; less is a heading. */
const leastBefore = 20;

/**
 * What the model itself says first in a text with tokens of a chat template: hidden channels, turns of others, and all
 * that follows the end of its own turn are left out.
 */
export function firstTurn(text: string): string {
  let role: string | undefined;
  let before = '';
  let from = 0;
  const segment = (end: number): string => {
    let part = text.slice(from, end);
    const named = opensTurn.test(before) ? roleName.exec(part) : null;
    if (named !== null) {
      role = named[1];
      part = part.slice(named[0].length);
    }
    return role !== undefined && notTheModel.has(role) ? '' : part.trim();
  };
  for (const match of text.matchAll(token)) {
    const said = segment(match.index);
    if (said !== '') return said;
    before = match[0];
    from = match.index + before.length;
    if (before === '[INST]') role = 'user';
    else if (endsTurn.test(before)) role = undefined;
    else role = roleToken.exec(before)?.[1]?.toLowerCase() ?? role;
  }
  return segment(text.length);
}

/** The text up to where the model goes on with a turn of somebody else in plain words. */
export function withoutInventedTurns(text: string): string {
  for (const { index } of text.matchAll(nextTurn)) if (index >= leastBefore) return text.slice(0, index).trim();
  return text;
}
