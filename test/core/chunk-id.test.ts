import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkId, parseChunkId } from '../../src/core/chunk-id.js';

test('what was put together comes apart, whatever the document is called', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), (document, ordinal) => {
      expect(parseChunkId(chunkId(document, ordinal))).toEqual({ document, ordinal });
    }),
  );
  expect(parseChunkId('notes#3#12')).toEqual({ document: 'notes#3', ordinal: 12 });
});

test.each(['', 'x', '#0', 'x#', 'x#01', 'x#-1', 'x#1.5', 'x#0x1', 'x#1e3', 'x# 1', 'x#one'])(
  '%j names no chunk',
  (id) => {
    expect(parseChunkId(id).ordinal).toBeNaN();
  },
);
