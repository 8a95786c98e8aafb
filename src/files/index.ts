export { type Decoded, decode } from './decode.js';
export { type Format, formatOf, formats, type NoReading, type Reader, type Reading } from './formats.js';
export { openAhead } from './open-ahead.js';
export { pathKey } from './path-key.js';
export { type OpenedFile, openFile, type ReadFile, readDocument, type Skipped } from './read.js';
export { openRoot, type Root } from './root.js';
export { type Skip, type SkipReason, skipReasons } from './skip.js';
export { type WalkedFile, type WalkOptions, walk } from './walk.js';
export { type WatchOptions, watchFolders } from './watch.js';
