import { type Document, SurmiseError } from '../core/index.js';
import { detectLanguage } from '../kernels/detect-language.js';
import { undetermined } from './stored.js';

/** The language in which a document is analysed: the one that it says, or else the one that title and text show. */
export function languageOf({ id, title = '', language }: Document, text: string): string {
  if (language !== undefined) return primaryLanguage(id, language);
  // A short text may say too little without its title.
  return detectLanguage(title === '' ? text : `${title}\n${text}`) ?? undetermined;
}

/** `en` for `en-US`, `EN`, `en_GB` and `eng`: the lower-case primary subtag, of two letters (ISO 639-1) where there is one. */
function primaryLanguage(id: string, language: string): string {
  const primary = typeof language === 'string' ? localeOf(language)?.split('-')[0] : undefined;
  if (primary === undefined || !/^[a-z]{2,3}$/.test(primary))
    throw new SurmiseError(
      'bad_data',
      `The language of document "${id}" must be a language code such as "en" or "pt-BR", not ${JSON.stringify(language)}. Leave it out to have it detected.`,
    );
  return primary.length === 2 ? primary : Intl.getCanonicalLocales(primary)[0]!.split('-')[0]!;
}

function localeOf(language: string): string | undefined {
  const tag = language.replaceAll('_', '-').toLowerCase();
  try {
    new Intl.Locale(tag);
    return tag;
  } catch {
    return undefined;
  }
}
