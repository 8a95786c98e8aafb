import { createRequire } from 'node:module';
import { type MakeStemmer, provideStemmers } from '../kernels/stem.js';
import { undetermined } from './stored.js';

/** Languages whose terms need none of the stemmers that take long to load. */
const simple: ReadonlySet<string> = new Set(['en', undetermined]);
let provided = false;

/**
 * Loads what stems texts of a language, where that is not there yet. Imported as a module, which Node reads for its exports
 * first, the package takes five times as long to load.
 */
export function provideStemmersOf(language: string): void {
  if (provided || simple.has(language)) return;
  const load = createRequire(import.meta.url);
  provideStemmers((load('snowball-stemmers') as { readonly newStemmer: MakeStemmer }).newStemmer);
  provided = true;
}
