/** Written in more than one script, so a script proves nothing. */
const manyScripts = new Set([
  'az',
  'bs',
  'ks',
  'kk',
  'ku',
  'mn',
  'ms',
  'pa',
  'sd',
  'sh',
  'sr',
  'tg',
  'tk',
  'tt',
  'ug',
  'uz',
]);
/** Languages that detection takes for each other. */
const kin = [
  'es pt gl ca ast',
  'da nb nn no sv',
  'bs hr sh sl sr',
  'cs sk',
  'id ms',
  'ru uk be bg mk',
  'af nl',
  'hi mr ne',
  'fa ps ur ar',
];
/** ISO 15924 codes that stand for several scripts. */
const mixed: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hira', 'Kana', 'Hani'],
  Kore: ['Hang', 'Hani'],
  Hans: ['Hani'],
  Hant: ['Hani'],
};
/** Letters below which nothing is certain, and Han characters without Kana that no Japanese writes. */
const leastLetters = 20;
const leastHan = 40;
/** A text in the right script may quote much, but not all. */
const leastShare = 0.1;
const letter = /\p{L}/gu;

/**
 * Whether a text is certainly not in the language that was asked for, because its letters are of another script. Names and
 * terms in another script are usual, so a tenth of right letters is enough; short texts pass.
 */
export function isOtherScript(text: string, language: string): boolean {
  const named = new Intl.Locale(language);
  // Of no language in particular: the likeliest script is a guess about the world, not about the text.
  if (/^und\b/.test(named.baseName) && named.script === undefined) return false;
  const locale = named.maximize();
  if (locale.script === undefined || (manyScripts.has(locale.language) && !language.includes(locale.script)))
    return false;
  const letters = count(text, letter);
  if (letters < leastLetters) return false;
  const right = (mixed[locale.script] ?? [locale.script]).reduce((sum, script) => sum + ofScript(text, script), 0);
  if (right < leastShare * letters) return true;
  const kana = ofScript(text, 'Hira') + ofScript(text, 'Kana');
  if (locale.script === 'Jpan') return kana === 0 && ofScript(text, 'Hani') >= leastHan;
  if (locale.language === 'zh') return kana > 0.2 * letters;
  return locale.language === 'ko' && ofScript(text, 'Hang') < leastShare * letters;
}

/** Whether two codes name languages that are not each other's kin. */
export function areForeign(one: string, other: string): boolean {
  const [a, b] = [one, other].map((code) => code.toLowerCase().split('-')[0]!);
  return a !== b && !kin.some((family) => [a, b].every((code) => family.split(' ').includes(code!)));
}

function ofScript(text: string, script: string): number {
  return count(text, new RegExp(`\\p{sc=${script}}`, 'gu'));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
