import type { Document, Json } from '../core/ports.js';
import { badLine, isObject, type JsonObject, jsonLines, type Lines } from './lines.js';

/**
 * The files of a BEIR folder (Thakur et al. 2021), as pure functions over their lines: `corpus.jsonl` with
 * `{_id, title, text, metadata}`, `queries.jsonl` with `{_id, text, metadata}`, and hypotheses with
 * `{_id, hypotheses: []}`. `file` names the file in messages. Numbers are accepted as ids. All functions throw
 * `bad_data`, naming file and line, for a line of another form and for an id that occurs twice.
 */
export async function* readCorpus(lines: Lines, file = 'corpus.jsonl'): AsyncGenerator<Document> {
  const seen = new Set<string>();
  for await (const { value, line } of jsonLines(lines, file)) {
    const id = newId(value, seen, file, line);
    const { title, metadata } = value;
    if (title !== undefined && title !== null && typeof title !== 'string') {
      throw badLine(file, line, `expected "title" of '${id}' to be a string.`);
    }
    yield {
      id,
      text: textOf(value, id, file, line),
      ...(title ? { title } : {}),
      ...withMetadata(metadata, id, file, line),
    };
  }
}

export interface Query {
  readonly id: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, Json>>;
}

/** The queries in the order of the file. */
export async function readQueries(lines: Lines, file = 'queries.jsonl'): Promise<Query[]> {
  const queries: Query[] = [];
  const seen = new Set<string>();
  for await (const { value, line } of jsonLines(lines, file)) {
    const id = newId(value, seen, file, line);
    queries.push({ id, text: textOf(value, id, file, line), ...withMetadata(value.metadata, id, file, line) });
  }
  return queries;
}

/** The hypotheses of each query, in the order of the file; a query may have none. */
export async function readHypotheses(lines: Lines, file = 'hypotheses.jsonl'): Promise<Map<string, string[]>> {
  const hypotheses = new Map<string, string[]>();
  const seen = new Set<string>();
  for await (const { value, line } of jsonLines(lines, file)) {
    const id = newId(value, seen, file, line);
    const list: unknown = value.hypotheses;
    if (!Array.isArray(list) || !list.every((item): item is string => typeof item === 'string')) {
      throw badLine(file, line, `expected "hypotheses" of '${id}' to be a list of strings.`);
    }
    hypotheses.set(id, list);
  }
  return hypotheses;
}

function newId(value: JsonObject, seen: Set<string>, file: string, line: number): string {
  const raw = value._id;
  const id = typeof raw === 'number' ? String(raw) : raw;
  if (typeof id !== 'string' || id === '') throw badLine(file, line, 'expected "_id", a string that is not empty.');
  if (seen.has(id)) throw badLine(file, line, `the id '${id}' was on an earlier line already; ids are unique.`);
  seen.add(id);
  return id;
}

function textOf(value: JsonObject, id: string, file: string, line: number): string {
  if (typeof value.text !== 'string') throw badLine(file, line, `expected "text" of '${id}' to be a string.`);
  return value.text;
}

function withMetadata(metadata: unknown, id: string, file: string, line: number) {
  if (metadata === undefined || metadata === null) return {};
  if (!isObject(metadata)) throw badLine(file, line, `expected "metadata" of '${id}' to be an object.`);
  // It comes from JSON.parse, so whatever is in it is Json.
  return { metadata: metadata as Record<string, Json> };
}
