import { newStemmer } from 'snowball-stemmers';
import { provideStemmers } from './stem.js';

/** Importing this provides the stemmers of all languages. */
provideStemmers(newStemmer);
