import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBestOfGroups } from '../../src/kernels/best-of-groups.js';

const rows = fc.array(fc.record({ group: fc.nat(5), score: fc.integer({ min: 0, max: 3 }) }), { maxLength: 40 });

test('the best row of each group, the k best of these, ties by id', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 8 }), (list, k) => {
      const idOf = (row: number) => String.fromCharCode(65 + ((row * 7) % 40));
      const best = createBestOfGroups(k, idOf, { of: Uint32Array.from(list, ({ group }) => group), count: 6 });
      list.forEach(({ score }, row) => {
        best.offer(row, score);
      });
      const sorted = list
        .map(({ group, score }, row) => ({ group, hit: { row, id: idOf(row), score } }))
        .sort((a, b) => b.hit.score - a.hit.score || (a.hit.id < b.hit.id ? -1 : 1));
      const first = sorted.filter(({ group }, at) => sorted.findIndex((other) => other.group === group) === at);
      expect(best.ranked()).toEqual(first.slice(0, k).map(({ hit }) => hit));
    }),
  );
});
