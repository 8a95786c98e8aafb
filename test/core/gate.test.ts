import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideGate } from '../../src/core/gate.js';

const auto = (question: string) => decideGate(question, 'auto');

test('on and off are followed, whatever the question', () => {
  fc.assert(
    fc.property(fc.string(), (question) => {
      expect(decideGate(question, 'on')).toEqual({ open: true, reason: 'switched on' });
      expect(decideGate(question, 'off')).toEqual({ open: false, reason: 'switched off' });
    }),
  );
});

describe('open for questions', () => {
  test.each([
    'how do I stop a running export?',
    'which birds nest on cliffs',
    'What is a mutex?',
    'why?',
    'how long may a session last in version 2.4',
    'when does "save as" keep the old file?',
    'wie lange hält Hefe im Kühlschrank?',
    '¿dónde se guardan las copias?',
    'エラーが出たときはどうすればよいですか',
    'почему гаснет экран',
    '2031年的火箭是谁造的？',
    "'twas the night before what in 'the winter poem'",
    'two questions; which one first?',
    'what goes into {braces} here',
    'well-being?',
  ])('%s', (question) => expect(auto(question)).toEqual({ open: true, reason: 'question' }));
});

describe('closed for what names exactly what it wants', () => {
  test.each<[string, string]>([
    ['"leave no trace"', 'quoted phrase'],
    ['  “leave no trace” ', 'quoted phrase'],
    ['„spurlos verschwunden“', 'quoted phrase'],
    ['«sans laisser de trace»', 'quoted phrase'],
    ['ERR_2041', 'identifier'],
    ['std::vector', 'identifier'],
    ['parseHeaderLine', 'identifier'],
    ['src/core/gate.ts', 'identifier'],
    ['10.4.0.1', 'identifier'],
    ['--dry-run', 'identifier'],
    ['CVE-2031-1234?', 'identifier'],
    ['for (const x of list) { push(x) }', 'code'],
    ['a => b', 'code'],
    ['when is list.sort() stable', 'code'],
  ])('%s: %s', (question, reason) => expect(auto(question)).toEqual({ open: false, reason }));
});

test('a passage is its own hypothesis', () => {
  expect(auto('the river rose again '.repeat(15)).open).toBe(true);
  expect(auto('河水又上涨了'.repeat(30))).toMatchObject({ open: false });
  expect(auto('the river rose again '.repeat(16))).toEqual({
    open: false,
    reason: 'the question reads like a passage',
  });
});

test('a decision for any text, always the same and always with a reason', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (question) => {
      const decision = auto(question);
      expect(decision.reason).not.toBe('');
      expect(auto(question)).toEqual(decision);
    }),
  );
});
