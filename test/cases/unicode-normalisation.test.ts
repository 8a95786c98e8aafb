import { expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';

test('FR-024 a Korean word is found in texts of both normal forms, from both', () => {
  const index = createBm25Index();
  index.add('nfc', analyze('오늘 도서관에 갔다'.normalize('NFC')));
  index.add('nfd', analyze('오늘 도서관에 갔다'.normalize('NFD')));
  index.add('none', analyze('내일은 쉰다'));
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
    const { hits } = index.search(analyzeQuery('도서관'.normalize(form)), { k: 5 });
    expect(hits.map(({ id }) => id)).toEqual(['nfc', 'nfd']);
    expect(hits[0]!.score).toBe(hits[1]!.score);
  }
});
