import { expect, test } from 'vitest';
import { takeTurns } from '../../src/core/take-turns.js';

test('others have their turn once the time is over, and not before', async () => {
  const order: string[] = [];
  setTimeout(() => order.push('other'), 0);
  const patient = takeTurns(60_000);
  for (let part = 0; part < 3; part++) {
    await patient();
    order.push('part');
  }
  await takeTurns(0)();
  order.push('end');
  expect(order).toEqual(['part', 'part', 'part', 'other', 'end']);
});
