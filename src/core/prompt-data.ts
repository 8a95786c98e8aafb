import { digester } from './digest.js';
import { toWellFormed } from './well-formed.js';

/** A piece of foreign text for a prompt, and the name of the tags around it. */
export interface PromptData {
  readonly tag: string;
  readonly text: string;
}

const digest = digester('prompt data\n', 4);

/**
 * What a model or its tokenizer could take for a mark of the conversation: tokens of chat templates, and tags named as
 * ours or as roles are, however spaced, also in fullwidth or look-alike brackets.
 */
const marks = [
  /[<＜﹤‹〈](?=\s{0,3}[|｜])/g,
  /[<＜﹤‹〈](?=\s{0,3}[/／]?\s{0,3}(?:questions?|passages?|conversation|instructions?|think(?:ing)?)\b)/gi,
  // In lower case only: types of programming languages bear these names.
  /[<＜﹤‹〈](?=\s{0,3}[/／]?\s{0,3}(?:system|user|assistant|developer|tool|human|start_of_turn|end_of_turn|s|bos|eos)\b)/g,
  /\[(?=\s{0,3}\/?\s{0,3}(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|THINK)\])/gi,
];

/**
 * Foreign texts for a prompt, each between tags that end in a code made of all of them, so that no text can hold the
 * code of its own prompt. In the texts the opening bracket of whatever looks like a mark of the conversation becomes
 * `(`; the same texts give the same prompt.
 */
export function promptData(data: readonly PromptData[]): string {
  const neutral = data.map(({ tag, text }) => ({ tag, text: neutralise(text) }));
  const all = JSON.stringify(neutral);
  let code = digest(all);
  // Chance alone can do this, once in thousands of millions of prompts.
  while (all.includes(code)) code = digest(`${code}${all}`);
  return neutral.map(({ tag, text }) => `<${tag}-${code}>\n${text}\n</${tag}-${code}>`).join('\n');
}

/** The text with nothing in it that could pass for a mark of the conversation. */
function neutralise(text: string): string {
  return marks.reduce((rest, mark) => rest.replace(mark, '('), toWellFormed(text));
}

/** At most `length` UTF-16 units of a text, cut between words where there are any. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.lastIndexOf(' ');
  return `${toWellFormed(space > length / 2 ? cut.slice(0, space) : cut).replace(/\ufffd$/, '')} …`;
}
