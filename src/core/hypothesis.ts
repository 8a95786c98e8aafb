import { maxRawLength } from './generations.js';
import { unwrapJson } from './hypothesis-json.js';
import { areForeign, isOtherScript } from './hypothesis-language.js';
import { hasPlaceholder, isRefusal } from './hypothesis-refusal.js';
import { isThinkingAloud, withoutThinking } from './hypothesis-thinking.js';
import { firstTurn, withoutInventedTurns } from './hypothesis-turns.js';
import { echoes, isCopy, isLoop, wordsOf } from './hypothesis-words.js';
import { unwrapPassage } from './hypothesis-wrappers.js';
import type { DocumentType } from './prompt-documents.js';
import { toWellFormed } from './well-formed.js';

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
  | 'thinking aloud'
  | 'cut-off JSON'
  | 'refusal'
  | 'placeholder'
  | 'copy of the question'
  | 'echo of the prompt'
  | 'wrong script'
  | 'wrong language'
  | 'repetition'
  | 'too short'
  | 'too long'
  | 'stock answer'
  | 'duplicate';

export type Cleaned = { readonly text: string } | { readonly dropped: DropReason };

export interface CleanOptions {
  /** The instructions that the model was given (`Prompt.system`), to find where it repeats them. */
  readonly instructions?: string;
  /** BCP 47 code of the language that was asked for. Without it any language will do. */
  readonly language?: string;
  /** Names the language of a text, undefined where it is not sure. Asked only where `language` is given. */
  readonly detectLanguage?: (text: string) => string | undefined;
  /** In code, marks of templates are no placeholders, and a language says nothing; people may not know something. */
  readonly type?: DocumentType;
}

const minCharacters = 20;
const maxCharacters = 8_000;
/** UTF-16 units from which detection of a language is believed. */
const leastDetected = 120;

/**
 * Takes wrappers off a generated passage (closed thinking, chat templates, JSON, a fence, tags, quotation marks, words
 * that only announce or excuse the passage) and says whether the rest can serve as a hypothesis. What is unusable is
 * dropped with its reason, not mended. Takes time linear in the length of the text.
 *
 * @param raw what the model wrote, unchanged
 * @param question as the user asked it
 */
export function cleanHypothesis(raw: string, question: string, options: CleanOptions = {}): Cleaned {
  const answer = unwrapAnswer(raw);
  if ('dropped' in answer) return answer;
  const dropped = answer.text.length > maxCharacters ? 'too long' : fault(answer.text, question, options);
  return dropped === undefined ? answer : { dropped };
}

/** What a model wants to say, in NFC, without anything around it; nothing is said of its worth. */
export function unwrapAnswer(raw: string): Cleaned {
  if (raw.length > maxRawLength) return { dropped: 'too long' };
  const answer = withoutThinking(raw);
  if (answer === undefined) return { dropped: 'unfinished thinking' };
  const passage = unwrapPassage(withoutInventedTurns(unwrapPassage(firstTurn(answer))));
  const unwrapped = unwrapJson(passage);
  if (unwrapped === 'cut off') return { dropped: 'cut-off JSON' };
  const inner = unwrapped.text === passage ? passage : insideJson(unwrapped.text);
  return inner === undefined ? { dropped: 'unfinished thinking' } : { text: toWellFormed(inner).normalize('NFC') };
}

/** A model may think in the string that it was given for its passage. */
function insideJson(text: string): string | undefined {
  const answer = withoutThinking(text);
  return answer === undefined ? undefined : unwrapPassage(answer);
}

/** Why a text can not serve, or undefined. */
function fault(text: string, question: string, options: CleanOptions): DropReason | undefined {
  const { instructions, type } = options;
  const isCode = type === 'code' || type === 'documentation';
  const words = wordsOf(text);
  if (words.length === 0) return 'empty';
  if (isThinkingAloud(text)) return 'thinking aloud';
  if (isRefusal(text, type === 'memory' || type === 'notes')) return 'refusal';
  if (hasPlaceholder(text, isCode)) return 'placeholder';
  if (isCopy(words, wordsOf(question))) return 'copy of the question';
  if (instructions !== undefined && echoes(words, wordsOf(instructions))) return 'echo of the prompt';
  if (isLoop(text, words)) return 'repetition';
  // One Han, Kana, Hangul or Thai character says about as much as three Latin ones.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu);
  if (text.length + 2 * (dense?.length ?? 0) < minCharacters) return 'too short';
  return type === 'code' ? undefined : languageFault(text, options);
}

/** Why a text is certainly not in the language that was asked for, or undefined. */
export function languageFault(text: string, { language, detectLanguage }: CleanOptions): DropReason | undefined {
  if (language === undefined) return undefined;
  if (isOtherScript(text, language)) return 'wrong script';
  if (detectLanguage === undefined || text.length < leastDetected) return undefined;
  // Names and lists of terms mislead detection; hardly twice to the same language.
  const detected = detectLanguage(text);
  if (detected === undefined || !areForeign(detected, language)) return undefined;
  return detectLanguage(text.slice(text.length / 2)) === detected ? 'wrong language' : undefined;
}
