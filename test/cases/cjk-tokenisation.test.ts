import { expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';

function search(texts: Record<string, string>, query: string): string[] {
  const index = createBm25Index();
  for (const [id, text] of Object.entries(texts)) index.add(id, analyze(text));
  return index.search(analyzeQuery(query, [], index), { k: 100 }).hits.map(({ id }) => id);
}

test('FR-013 every piece of a sentence without spaces finds it', () => {
  for (const sentence of ['春天山上開滿白色花朵', '春の山に白い花が咲く朝', '봄이오면산에꽃이핀다']) {
    const characters = [...sentence];
    for (let length = 2; length <= characters.length; length++)
      for (let start = 0; start + length <= characters.length; start++)
        expect(search({ a: sentence, b: 'nothing' }, characters.slice(start, start + length).join(''))).toEqual(['a']);
  }
});

test('FR-014 a run that is not there does not void the rest of the query', () => {
  const texts = { both: 'harbor 海鳥', half: 'harbor lights', none: 'hills' };
  expect(search(texts, 'harbor 海豚')).toEqual(['both', 'half']);
  expect(search(texts, 'harbor 沙漠').toSorted()).toEqual(['both', 'half']);
});

test('FR-016 Chinese has words and pairs as terms', () => {
  expect(analyze('圖書館開門')).toEqual(expect.arrayContaining(['圖書', '書館', '開門', '圖']));
  expect(analyzeQuery('圖書館')).not.toEqual([]);
});

test('FR-017 short words are searched for like long ones: the answer equals a plain scan', () => {
  const texts: Record<string, string> = {};
  const words = ['brown', 'ox', 'oxen', 'fox', 'box', 'on', 'hill'];
  for (let at = 0; at < 60; at++)
    texts[`${at}`] = `${words[at % 7]} ${words[(at * 3 + 1) % 7]} ${words[(at * 5 + 2) % 7]}`;
  for (const wanted of [['brown', 'ox'], ['ox'], ['on']]) {
    const scan = Object.keys(texts).filter((id) => texts[id]!.split(' ').some((word) => wanted.includes(word)));
    expect(search(texts, wanted.join(' ')).toSorted()).toEqual(scan.toSorted());
  }
});

test('FR-018 several words of two characters each find their text', () => {
  const texts = { a: '今天看見白雲', b: '昨晚聽見海浪', c: '明年種植果樹', d: '去年修好屋頂', e: 'plain' };
  expect(search(texts, '白雲 海浪 果樹 屋頂').toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

test('FR-020 an underscore or percent sign is no wildcard, and a filter holds', () => {
  const index = createBm25Index();
  for (const [id, text] of [
    ['mine', '小明_ 的筆記'],
    ['theirs', '小明 的筆記'],
    ['other', '小紅 50% ok'],
  ] as const)
    index.add(id, analyze(text));
  const find = (query: string) =>
    index.search(analyzeQuery(query), { k: 9, allow: (id) => id !== 'theirs' }).hits.map(({ id }) => id);
  expect(find('小明_')[0]).toBe('mine');
  expect(find('小明_')).not.toContain('theirs');
  expect(find('%')).toEqual([]);
  expect(find('_')).toEqual([]);
});
