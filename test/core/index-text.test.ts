import { expect, test } from 'vitest';
import { indexText } from '../../src/core/index-text.js';

test.each<[string, string, string[], string, string]>([
  ['title, path and text', 'Manual', ['Setup', 'Keys'], 'Turn the key.', 'Manual\nSetup\nKeys\nTurn the key.'],
  ['the text alone', '', [], 'Turn the key.', 'Turn the key.'],
  ['empty titles are left out', '', ['', 'Keys'], 'Turn it.', 'Keys\nTurn it.'],
  ['what the text says already', 'Keys', ['Turn'], 'Turn the Keys.', 'Turn the Keys.'],
  ['a title that is only a part of a word', 'art', [], 'They start.', 'art\nThey start.'],
  ['a heading that repeats the title', 'Manual', ['Manual', 'Setup'], 'Go.', 'Manual\nSetup\nGo.'],
])('%s', (_, title, heading, text, expected) => expect(indexText(title, heading, text)).toBe(expected));
