import { expect, test } from 'vitest';
import { partBelow } from '../../src/files/path-key.js';

test.each([
  ['/a', '/a', ''],
  ['/a', '/a/b/c.md', 'b/c.md'],
  ['/', '/a', 'a'],
  ['/', '/', ''],
  ['C:/', 'C:/a', 'a'],
  ['/a', '/ab', undefined],
  ['/a/b', '/a', undefined],
])('below %j, %j is %j', (folder, key, part) => {
  expect(partBelow(folder, key)).toBe(part);
});
