import pc from 'picocolors';
import type { Explanation } from '../core/explain.js';
import type { Why, WhyNot } from '../core/why.js';
import { oneLine } from './printable.js';
import { renderTrace } from './render-search.js';

/** Parts of one leg that are shown; what is left is added up. */
const shownParts = 12;
const sentenceWidth = 160;

/** The tree of a score, each level two columns further in. */
export function renderExplanation(explanation: Explanation, indent: string): string[] {
  const { of, value, how, parts = [], sentence, before } = explanation;
  const lines = [pc.dim(`${indent}${value.toFixed(4)}  ${oneLine(of, 40)}  ${oneLine(how, 200)}`)];
  if (sentence !== undefined)
    lines.push(
      pc.dim(`${indent}        nearest (${sentence.similarity.toFixed(3)}): ${oneLine(sentence.text, sentenceWidth)}`),
    );
  const inner = `${indent}  `;
  for (const part of parts.slice(0, shownParts)) lines.push(...renderExplanation(part, inner));
  const rest = parts.slice(shownParts);
  if (rest.length > 0) {
    const sum = rest.reduce((total, part) => total + part.value, 0);
    lines.push(pc.dim(`${inner}${sum.toFixed(4)}  ${rest.length} more, see --json`));
  }
  if (before !== undefined) lines.push(pc.dim(`${inner}before that:`), ...renderExplanation(before, inner));
  return lines;
}

const absences: Readonly<Record<WhyNot, string>> = {
  'not indexed': 'There is no such document or chunk in the index.',
  'the search is empty': 'The question has nothing to search for, so no document is found.',
  'refused by the filter': 'It does not pass the filter.',
  'refused by an operator': 'It lacks a phrase that the question asks for, or holds what the question excludes.',
  'nothing in common': 'It shares no word with the question, and no vectors were compared.',
  'below the threshold': 'Its score is below the lowest that was asked for.',
  'behind k': 'It is in the list, behind the hits that were asked for.',
};

/** Where a document stands, why, and what happened in the search. */
export function renderWhy({ document, rank, of, found, reason, candidate, explanation, chunk, result }: Why): string {
  const place = rank === undefined ? 'not in the list' : `${rank} of ${of}`;
  const lines = [`${pc.bold(oneLine(document, 4_096))}  ${pc.cyan(place)}`];
  if (!found && reason !== undefined) lines.push(absences[reason]);
  if (rank !== undefined && !candidate) lines.push('No leg has it among its candidates; this is where it would stand.');
  if (chunk !== undefined) lines.push(pc.dim(`${chunk.start}-${chunk.end}  ${oneLine(chunk.text, sentenceWidth)}`));
  if (explanation !== undefined) lines.push(...renderExplanation(explanation, '  '));
  const first = result.hits[0];
  if (first !== undefined && rank !== 1)
    lines.push(`First is ${oneLine(first.document, 4_096)} with ${first.score.toFixed(4)}.`);
  return [lines.join('\n'), renderTrace(result)].join('\n\n');
}
