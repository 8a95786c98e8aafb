import { SurmiseError } from './errors.js';
import type { HypothesisPromptOptions } from './prompt.js';
import { documentTasks } from './prompt-documents.js';

const maxInstructions = 4_000;

/**
 * Apart from what makes prompts, so that searches that write nothing do not load that.
 *
 * @returns the language to write in, if one is named
 * @throws SurmiseError `bad_argument` for what no prompt can be made of
 */
export function checkPrompt(options: HypothesisPromptOptions): Intl.Locale | undefined {
  const { type = 'general', language, mode = 'plain', instructions: own } = options;
  if (!Object.hasOwn(documentTasks, type))
    throw new SurmiseError(
      'bad_argument',
      `There is no prompt for documents of type "${type}". Known: ${Object.keys(documentTasks).join(', ')}.`,
    );
  if (mode !== 'plain' && mode !== 'steered')
    throw new SurmiseError('bad_argument', 'The mode of a prompt must be "plain" or "steered".');
  if (own !== undefined && !(own.trim() !== '' && own.length <= maxInstructions))
    throw new SurmiseError('bad_argument', `Own instructions must have 1 to ${maxInstructions} characters.`);
  return language === undefined ? undefined : localeOf(language);
}

function localeOf(language: string): Intl.Locale {
  try {
    return new Intl.Locale(language);
  } catch (error) {
    throw new SurmiseError('bad_argument', `"${language}" is no language code; give one as "de" or "zh-Hant".`, {
      cause: error,
    });
  }
}
