import { describe, expect, test } from 'vitest';
import { isWellFormed, toWellFormed } from '../../src/core/well-formed.js';

const cases = [
  ['', ''],
  ['a😀b', 'a😀b'],
  ['a\ud83d', 'a\ufffd'],
  ['\ude00\ud83d b\ud83d', '\ufffd\ufffd b\ufffd'],
] as const;

function check(text: string, expected: string): void {
  expect(isWellFormed(text)).toBe(text === expected);
  expect(toWellFormed(text)).toBe(expected);
}

test.each(cases)('%j becomes %j', check);

describe('on a platform before ES2024', () => {
  test.each(cases)('%j becomes %j', (text, expected) => {
    const natives = ['isWellFormed', 'toWellFormed'].map(
      (name) => [name, Object.getOwnPropertyDescriptor(String.prototype, name)] as const,
    );
    for (const [name] of natives) Reflect.deleteProperty(String.prototype, name);
    try {
      expect('isWellFormed' in String.prototype).toBe(false);
      check(text, expected);
    } finally {
      for (const [name, native] of natives) if (native) Object.defineProperty(String.prototype, name, native);
    }
  });
});
