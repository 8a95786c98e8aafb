import { SurmiseError } from '../core/errors.js';
import type { SearchResult } from '../core/result.js';
import { openSearch, type SearchingOptions } from './open-search.js';
import { renderSearch } from './render-search.js';

export interface SearchCommandOptions extends SearchingOptions {
  readonly explain?: boolean;
  readonly json?: boolean;
}

const noAnswer: Readonly<Partial<Record<NonNullable<SearchResult['reason']>, string>>> = {
  'empty query': 'The question is empty. Give the words to search for.',
  'no searchable token':
    'The question has no letter, digit or symbol to search for. Use words; those behind a minus are left out.',
};

/** `--json` prints the `SearchResult`. */
export async function searchCommand(
  words: readonly string[],
  options: SearchCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { explain = false, json = false } = options;
  const { surmise, settings, close } = await openSearch(options, signal);
  try {
    const result = await surmise.search(words.join(' '), { ...settings, explain });
    const refusal = result.reason && noAnswer[result.reason];
    if (refusal !== undefined) throw new SurmiseError('bad_argument', refusal);
    if (json) console.log(JSON.stringify(result));
    else console.log(renderSearch(result, await explainer(explain)));
  } finally {
    await close();
  }
}

/** What renders explanations, loaded where it is wanted. */
async function explainer(explain: boolean) {
  return explain ? import('./render-explanation.js') : undefined;
}
