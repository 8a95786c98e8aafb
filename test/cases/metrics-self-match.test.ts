import { expect, test } from 'vitest';
import { ownDocuments } from '../../src/evaluate/own-documents.js';
import { runArm } from '../../src/evaluate/run-arm.js';

test('FR-274 the query itself is removed where it is a document, and not where the ids coincide by chance', async () => {
  const queries = [
    { id: '1', text: 'Lanterns on the pier were lit before every storm' },
    { id: '2', text: 'who keeps the bees' },
  ];
  const documents = [
    { id: '1', text: 'Lanterns on the pier were lit before every storm' },
    { id: '2', text: 'The gardener keeps hives behind the orchard wall.' },
  ];
  const own = await ownDocuments(queries, documents);
  expect(own).toEqual(new Set(['1']));
  const run = await runArm(async () => documents.map(({ id }, i) => ({ id, score: -i })), queries, { own });
  expect(run.get('1')!.map(({ id }) => id)).toEqual(['2']);
  expect(run.get('2')!.map(({ id }) => id)).toEqual(['1', '2']);
});
