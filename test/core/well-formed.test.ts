import { expect, test } from 'vitest';
import { isWellFormed, toWellFormed } from '../../src/core/well-formed.js';

test.each([
  ['', ''],
  ['a😀b', 'a😀b'],
  ['a\ud83d', 'a\ufffd'],
  ['\ude00\ud83d b\ud83d', '\ufffd\ufffd b\ufffd'],
])('%j becomes %j', (text, expected) => {
  expect(isWellFormed(text)).toBe(text === expected);
  expect(toWellFormed(text)).toBe(expected);
});
