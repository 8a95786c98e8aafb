import { badLine, type Lines, numbered } from './lines.js';

/** Judgements: query → document → grade. A grade of 1 or more is relevant; 0 and below are judged and not relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Judgements from the lines of a file: BEIR (`query-id`, `corpus-id`, `score`, separated by tabs, with or without a
 * header) or TREC (`query 0 document grade`, separated by white space). Queries keep the order of the file.
 * Throws `bad_data`, naming file and line, for a line of another form and for a pair that occurs twice.
 */
export async function readQrels(lines: Lines, file = 'qrels'): Promise<Map<string, Map<string, number>>> {
  const qrels = new Map<string, Map<string, number>>();
  let first = true;
  for await (const { text, number } of numbered(lines)) {
    const header = first && /^[^\t]+\t[^\t]+\t\s*[A-Za-z][\w -]*$/.test(text);
    first = false;
    if (header) continue;
    const [query, document, grade] = columns(text);
    if (!query || !document || grade === undefined || !/^[+-]?\d{1,6}$/.test(grade)) {
      throw badLine(file, number, 'expected a query id, a document id and a whole number as grade, separated by tabs.');
    }
    const judged = qrels.get(query) ?? new Map<string, number>();
    if (judged.has(document))
      throw badLine(file, number, `query '${query}' and document '${document}' were judged already.`);
    judged.set(document, Number(grade));
    qrels.set(query, judged);
  }
  return qrels;
}

function columns(text: string): (string | undefined)[] {
  const byTab = text.split('\t').map((column) => column.trim());
  if (byTab.length === 3) return byTab;
  const [query, iteration, document, grade, ...rest] = text.trim().split(/\s+/);
  return iteration === undefined || rest.length > 0 ? [] : [query, document, grade];
}
