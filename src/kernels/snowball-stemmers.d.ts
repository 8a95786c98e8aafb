/** The package ships no types; these are the parts that we use. */
declare module 'snowball-stemmers' {
  export function newStemmer(algorithm: string): { stem(word: string): string };
  export function algorithms(): string[];
}
