import { throwIfAborted, withDeadline } from './deadline.js';
import { reasonOf } from './errors.js';
import { type CleanOptions, type DropReason, languageFault, unwrapAnswer } from './hypothesis.js';
import { hasPlaceholder, isRefusal } from './hypothesis-refusal.js';
import { isThinkingAloud } from './hypothesis-thinking.js';
import { echoes, isLoop, wordsOf } from './hypothesis-words.js';
import type { CallOptions, Generator } from './ports.js';
import { standalonePrompt, type Turn } from './prompt.js';

/** The question to search with, and why it is the user's own words where a rewriting was not believed. */
export interface StandaloneQuestion {
  readonly question: string;
  readonly doubt?: DropReason | 'no answer' | 'several lines' | 'an answer' | 'other words' | 'a lost name';
  /** Why there was no answer. */
  readonly reason?: string;
}

export interface AskStandaloneOptions extends Pick<CleanOptions, 'language' | 'detectLanguage'>, CallOptions {
  /** How long the rewriting may take, in milliseconds. Default 3,000. */
  readonly deadlineMs?: number;
}

const maxLength = 500;
const label =
  /^(?:\*\*)?[^:：\n.?]{0,60}(?:question|query|pregunta|pergunta|frage|domanda|vraag|вопрос|问题|質問|질문)[^:：\n.?]{0,40}[:：](?:\*\*)?\s{0,3}/i;
const asks = /[?？؟]["'”’»)]?$/u;
const states = /[.。!！।]["'”’»)]?$/u;
/** What a question can not lose without asking something else: numbers, identifiers, names with digits. */
const exactWord = /[\p{L}\p{N}_]*[\p{Nd}_][\p{L}\p{N}_]*/gu;

/**
 * Has a model say the last question of a conversation so that it can be searched with alone. A model that fails, hangs or
 * is not believed leaves the question as it is. Without a history nobody is asked.
 *
 * @param history what was said before, oldest first
 * @throws SurmiseError only `aborted`
 */
export async function askStandaloneQuestion(
  generator: Generator,
  history: readonly Turn[],
  question: string,
  options: AskStandaloneOptions = {},
): Promise<StandaloneQuestion> {
  const { signal, deadlineMs = 3_000, ...expected } = options;
  throwIfAborted(signal);
  if (history.length === 0) return { question };
  try {
    const prompt = standalonePrompt(history, question);
    const answers = await withDeadline('Rewriting the question', deadlineMs, signal, (inner) =>
      generator.generate(prompt, { n: 1, signal: inner }),
    );
    const text: unknown = answers[0]?.text;
    if (typeof text !== 'string') return { question, doubt: 'no answer', reason: 'the generator gave no text' };
    return standaloneQuestion(text, question, history, { ...expected, instructions: prompt.system });
  } catch (error) {
    throwIfAborted(signal);
    return { question, doubt: 'no answer', reason: reasonOf(error) };
  }
}

/**
 * The question that a model wrote in answer to `standalonePrompt`, or on any doubt the user's own: nothing, several lines,
 * a refusal, an answer instead of a question, words of neither the question nor the conversation, a number or identifier
 * that was lost, another language.
 *
 * @param raw what the model wrote, unchanged
 */
export function standaloneQuestion(
  raw: string,
  question: string,
  history: readonly Turn[],
  options: Pick<CleanOptions, 'instructions' | 'language' | 'detectLanguage'> = {},
): StandaloneQuestion {
  const answer = unwrapAnswer(raw);
  if ('dropped' in answer) return { question, doubt: answer.dropped };
  // Word for word, whatever its beginning looks like.
  if (answer.text === question) return { question };
  const text = answer.text.replace(label, '').trim();
  const doubt = doubtOf(text, question, history, options);
  return doubt === undefined ? { question: text } : { question, doubt };
}

function doubtOf(
  text: string,
  question: string,
  history: readonly Turn[],
  { instructions, ...language }: CleanOptions,
): StandaloneQuestion['doubt'] {
  if (text.length > Math.max(maxLength, 2 * question.length)) return 'too long';
  if (text.includes('\n') && !question.includes('\n')) return 'several lines';
  const words = wordsOf(text);
  if (words.length === 0) return 'empty';
  if (isThinkingAloud(text)) return 'thinking aloud';
  if (isRefusal(text)) return 'refusal';
  if (hasPlaceholder(text, true)) return 'placeholder';
  if (instructions !== undefined && echoes(words, wordsOf(instructions))) return 'echo of the prompt';
  if (isLoop(text, words)) return 'repetition';
  if (asks.test(question) && states.test(text)) return 'an answer';
  const known = new Set([question, ...history.map((turn) => turn.text)].flatMap(wordsOf));
  // Short words are shared by questions about anything.
  const telling = words.filter(({ length }) => length >= 4);
  if (!(telling.length > 0 ? telling : words).some((word) => known.has(word))) return 'other words';
  const lower = text.toLowerCase();
  if (question.match(exactWord)?.some((word) => !lower.includes(word.toLowerCase()))) return 'a lost name';
  return languageFault(text, language);
}
