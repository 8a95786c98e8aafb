import pc from 'picocolors';
import { formatWhere } from '../core/parse-where.js';
import type { Hit, SearchResult, Trace } from '../core/result.js';
import { oneLine, printable } from './printable.js';

type RenderExplanation = typeof import('./render-explanation.js');

const snippetWidth = 240;
const whereWidth = 500;
/** As long as any path of a file: a path that is cut can not be opened. */
const pathWidth = 4_096;

/** A result for people; with `explain` also how each score came about, and what happened. */
export function renderSearch(result: SearchResult, explain?: RenderExplanation): string {
  const blocks = result.hits.map((hit) => renderHit(hit, explain));
  if (result.hits.length === 0) blocks.push(emptySentence(result));
  if (explain !== undefined) blocks.push(renderTrace(result));
  for (const { part, reason } of result.degraded) blocks.push(pc.yellow(printable(`Note: ${part}: ${reason}`)));
  return blocks.join('\n\n');
}

function emptySentence({ reason, trace: { filter, index } }: SearchResult): string {
  if (reason === 'below the threshold') return 'No hit reaches the lowest score that you asked for.';
  if (reason === 'nothing passes the filter')
    return `None of ${index.documents} documents passes the filter: ${whereOf(filter)}`;
  return filter === undefined
    ? `Nothing in ${index.documents} documents matches. Try other words.`
    : `Nothing in the ${filter.documents} documents that pass the filter matches. Try other words.`;
}

function whereOf(filter: Trace['filter']): string {
  return oneLine(filter === undefined ? '' : formatWhere(filter.where), whereWidth);
}

function renderHit(hit: Hit, explain: RenderExplanation | undefined): string {
  const section = hit.heading.filter((title) => title !== hit.title).join(' › ');
  const name = [hit.title, section].filter((part) => part !== '').join(' › ');
  const lines = [
    `${pc.bold(`${hit.rank}. ${oneLine(name === '' ? hit.path : name, 120)}`)}  ${pc.cyan(hit.score.toFixed(3))}`,
    pc.dim(`   ${oneLine(hit.path, pathWidth)}:${hit.start}-${hit.end}`),
    ...(hit.header === undefined ? [] : [pc.dim(`   ${oneLine(hit.header, snippetWidth)}`)]),
    `   ${oneLine(hit.sentences?.map(({ text }) => text).join(' … ') ?? hit.text, snippetWidth)}`,
  ];
  if (explain !== undefined) {
    if (hit.explanation !== undefined) lines.push(...explain.renderExplanation(hit.explanation, '   '));
    const stages = Object.entries(hit.stages).map(
      ([stage, { rank, score }]) => `${stage} #${rank} ${score.toFixed(3)}`,
    );
    lines.push(pc.dim(`   ${'stages'.padEnd(18)} ${stages.join(' → ')}`));
  }
  return lines.join('\n');
}

/** What happened in a search. */
export function renderTrace({ mode, trace, degraded }: SearchResult): string {
  const { gate, hypotheses, legs, index, filter, ms } = trace;
  const unasked = gate.generation === undefined ? '' : `, no model asked: ${gate.generation}`;
  const lines = [
    `  index: ${index.documents} documents, ${index.chunks} chunks, ${index.vectors} vectors`,
    ...(filter === undefined
      ? []
      : [`  filter: ${whereOf(filter)}: ${filter.documents} documents, ${filter.chunks} chunks pass`]),
    `  mode: ${mode}; hypotheses: ${gate.open ? 'yes' : 'no'} (${gate.reason})${unasked}`,
    ...generatorLine(trace),
    ...hypotheses.map(
      ({ source, text, used, dropped }) =>
        `  hypothesis (${source}${used ? '' : `, dropped: ${dropped}`}): ${oneLine(text, 100)}`,
    ),
    ...legs.map(legLine),
    fusionLine(trace),
    ...laterStages(trace),
    `  degraded: ${degraded.length === 0 ? 'nothing' : degraded.map(({ part }) => part).join(', ')}`,
    `  ${ms.toFixed(0)} ms`,
  ];
  return pc.dim(`${pc.bold('What happened')}\n${printable(lines.join('\n'))}`);
}

function generatorLine({ generator }: Trace): string[] {
  if (generator === undefined) return [];
  const { id, received, wanted, ms, from } = generator;
  return [
    `  generator ${id}: ${received} of ${wanted} in ${ms.toFixed(0)} ms${from === 'call' ? '' : `, from ${from}`}`,
  ];
}

function fusionLine({ fusion: { method, weights, weightsFrom } }: Trace): string {
  const shares = Object.entries(weights).map(([name, weight]) => `${name} ${weight.toFixed(3)}`);
  return `  fusion: ${method}, weights ${shares.join(', ')}${weightsFrom === undefined ? '' : ` (${weightsFrom})`}`;
}

/** What was done behind fusion. */
function laterStages({ rerank, mmr, trim }: Trace): string[] {
  return [
    ...(rerank === undefined
      ? []
      : [`  reranker ${rerank.id}: ${rerank.passages} passages in ${rerank.ms.toFixed(0)} ms`]),
    ...(mmr === undefined ? [] : [`  mmr: λ ${mmr.lambda} over ${mmr.candidates} candidates`]),
    ...(trim === undefined
      ? []
      : [`  trim: ${trim.kept} of ${trim.sentences} sentences stay (floor ${trim.floor}), ${trim.ms.toFixed(0)} ms`]),
  ];
}

function legLine({ name, stage, candidates, matched, terms, ms }: Trace['legs'][number]): string {
  const asked = terms === undefined ? '' : ` for ${terms} terms`;
  return `  leg ${name} (${stage}): ${candidates} candidates${asked}, ${matched} chunks match, ${ms.toFixed(0)} ms`;
}
