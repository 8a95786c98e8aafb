import pc from 'picocolors';
import { type SkipReason, skipReasons } from '../files/index.js';
import type { IndexSummary } from './index-command.js';
import { renderCost } from './index-progress.js';
import { oneLine, printable } from './printable.js';

/** How many paths are named for each reason before the rest is only counted. */
const namedPaths = 3;
const namedNotes = 10;

/** What `surmise index` did, or would do, for people. */
export function renderIndex(summary: IndexSummary): string {
  const { added, updated, unchanged, removed, kept, chunks, embedded, skipped, notes, failed, ms, dryRun } = summary;
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `${pc.bold(`${added} ${would}added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`)}; ${chunks} chunks ${would}written, ${embedded} embedded${spentOn(summary)}, in ${(ms / 1000).toFixed(1)} s`,
    pc.dim(`Index: ${printable(summary.index)}${dryRun ? ' (not touched)' : ''}`),
  ];
  if (skipped.length > 0) lines.push(`${skipped.length} left out:`);
  for (const reason of Object.keys(skipReasons) as SkipReason[])
    lines.push(
      ...reasonLines(
        reason,
        skipped.filter((skip) => skip.reason === reason),
      ),
    );
  lines.push(
    ...firstLines(
      notes.map(({ path, note }) => pc.yellow(`Note: ${oneLine(path, 200)}: ${oneLine(note, 300)}`)),
      'notes',
    ),
    ...firstLines(
      failed.map(({ id, reason }) => pc.red(`Not embedded: ${oneLine(id, 200)}: ${oneLine(reason, 300)}`)),
      'documents',
    ),
  );
  if (failed.length > 0)
    lines.push(`${failed.length} documents are found by their words only. Run the same command again to embed them.`);
  const { left, notKept, legsNotMeasured } = summary;
  if (left !== undefined) {
    // Where not one text was embedded the same command would end in the same way.
    const advice =
      embedded === 0
        ? 'the next text takes more than the whole budget, give a larger one to embed them'
        : 'run the same command again to embed the rest';
    lines.push(
      pc.yellow(
        `The budget is used up: ${left.texts.toLocaleString('en')} texts of ${left.documents.toLocaleString('en')} documents are left, about ${left.tokens.toLocaleString('en')} tokens. These documents are found by their words; ${advice}.`,
      ),
    );
  }
  if (notKept !== undefined) lines.push(pc.yellow(`Vectors were not kept in the cache: ${oneLine(notKept, 300)}`));
  if (legsNotMeasured !== undefined) lines.push(pc.yellow(renderUnmeasured(legsNotMeasured)));
  for (const message of summary.unreadable) lines.push(pc.red(printable(message)));
  if (kept > 0)
    lines.push(
      pc.yellow(
        `${kept} documents are in the index whose files were not found: more than half of them, so they were kept. If they are really gone, run again with --prune.`,
      ),
    );
  if (added + updated + unchanged === 0)
    lines.push(
      'No documents were found. Give a folder with files that `surmise index` reads: text, Markdown, HTML, PDF and others.',
    );
  return lines.join('\n');
}

/** Weights stay what they were: a half each, or of an index that was half or twice as large. */
export function renderUnmeasured(reason: string): string {
  return `How well words and vectors find was not measured, so their weights stay as they were: ${oneLine(reason, 300)}`;
}

/** What is planned takes tokens, and money where the price is known; so does what was done. */
function spentOn({ tokens, cost, dryRun }: IndexSummary): string {
  if (!dryRun && (cost === undefined || tokens === 0)) return '';
  return ` (about ${tokens.toLocaleString('en')} tokens${cost === undefined ? '' : `, ${renderCost(cost)}`})`;
}

function firstLines(lines: readonly string[], what: string): string[] {
  const more = lines.length - namedNotes;
  return [...lines.slice(0, namedNotes), ...(more > 0 ? [pc.dim(`and ${more} more ${what} (see --json)`)] : [])];
}

function reasonLines(reason: SkipReason, skips: IndexSummary['skipped']): string[] {
  if (skips.length === 0) return [];
  const named = skips
    .slice(0, namedPaths)
    .map(({ path, detail }) => pc.dim(`      ${oneLine(path, 160)}: ${oneLine(detail, 160)}`));
  const more = skips.length > namedPaths ? [pc.dim(`      and ${skips.length - namedPaths} more (see --json)`)] : [];
  return [`  ${String(skips.length).padStart(5)} ${reason}: ${skipReasons[reason]}`, ...named, ...more];
}
