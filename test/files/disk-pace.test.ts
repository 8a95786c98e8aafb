import { expect, test } from 'vitest';
import { diskPace } from '../../src/files/disk-pace.js';

const slowLook = () => {
  const until = performance.now() + 25;
  while (performance.now() < until);
};

test('a disk is quick until looks take long, and again when they do not', () => {
  const pace = diskPace();
  expect(pace.quick).toBe(true);
  for (let look = 0; look < 2; look++) pace.timed(slowLook);
  expect(pace.quick).toBe(false);
  for (let look = 0; look < 200; look++) pace.timed(() => undefined);
  expect(pace.quick).toBe(true);
});

test('gives what the work gives, and takes its time where it throws as well', () => {
  const pace = diskPace();
  expect(pace.timed(() => 7)).toBe(7);
  const failing = () => {
    slowLook();
    throw new RangeError('gone');
  };
  for (let look = 0; look < 2; look++) expect(() => pace.timed(failing)).toThrow(RangeError);
  expect(pace.quick).toBe(false);
});
