/** Endings that are always written with an accent. */
const endings: Readonly<Record<string, readonly (readonly [ending: RegExp, accented: string])[]>> = {
  es: [[/([cs])ion$/, '$1ión']],
  pt: [
    [/([cs])ao$/, '$1ão'],
    [/([cs])oes$/, '$1ões'],
    [/cã/, 'çã'],
    [/cõ/, 'çõ'],
    [/ancia(s?)$/, 'ância$1'],
    [/encia(s?)$/, 'ência$1'],
    [/a(vel|veis)$/, 'á$1'],
    [/i(vel|veis)$/, 'í$1'],
  ],
};

/**
 * Gives a word without accents the ones that its ending always has, so that the stemmer knows the ending again:
 * without this `informacion` and `informaciones` have different stems.
 */
export function restoreAccents(word: string, language: string): string {
  const rules = Object.hasOwn(endings, language) ? endings[language] : undefined;
  return rules === undefined
    ? word
    : rules.reduce((result, [ending, accented]) => result.replace(ending, accented), word);
}
