import {
  createSurmise,
  type Document,
  type Generator,
  isSurmiseError,
  type Scored,
  type SearchOptions,
  SurmiseError,
} from '../core/index.js';
import {
  type Arm,
  type ArmComparison,
  type CompareArmsOptions,
  compareArms,
  type Evaluation,
  evaluateRun,
  ownDocuments,
  parseArm,
  parseArms,
  readCorpus,
  runArm,
} from '../evaluate/index.js';
import { deterministicGenerator, feedbackGenerator } from '../models/index.js';
import { openKeptEmbedder } from './embedder-option.js';
import { type EvalCollection, fileLines, readEvalCollection } from './eval-collection.js';
import { type EvalIndexOptions, openEvalIndex } from './eval-index.js';
import type { ModelSettings } from './model-settings.js';
import { startProgress } from './progress.js';
import { renderEvaluation } from './render-evaluation.js';
import { scoredDocuments } from './scored-documents.js';

export interface EvalCommandOptions {
  readonly arms?: string;
  readonly hypotheses?: string;
  readonly split: string;
  readonly embedder: string;
  readonly embedderSettings?: ModelSettings;
  readonly cache: boolean;
  readonly baseline?: string;
  /** How much worse still counts as not worse, in nDCG@10. */
  readonly margin: number;
  readonly json?: boolean;
}

export const measures = ['nDCG@10', 'R@100', 'RR@10', 'AP'] as const;

/** What `surmise eval --json` prints. Values lie between 0 and 1, higher is better. */
export interface EvaluationSummary {
  readonly dataset: string;
  readonly documents: number;
  /** Documents of the collection that were not indexed, since there is nothing in them. Absent for none. */
  readonly skipped?: number;
  /** Judged queries that were asked. */
  readonly queries: number;
  readonly arms: Readonly<Record<string, Readonly<Record<(typeof measures)[number] | 'queries', number>>>>;
  /** Arms against each other, query by query, in nDCG@10. */
  readonly comparisons: readonly ArmComparison[];
}

/** Hypotheses of a question that a generator may be asked for. */
const maxWritten = 32;
/** Nobody waits for one answer, and a slow machine must not change what is measured. */
const deadlineMs = 600_000;
/** Deep enough for every measure. */
const depth = 1_000;

export async function evalCommand(folder: string, options: EvalCommandOptions, signal: AbortSignal): Promise<void> {
  const collection = await readEvalCollection(folder, options.split, options.hypotheses);
  const arms = armsOf(options);
  const { margin } = options;
  const baseline = options.baseline === undefined ? undefined : parseArm(options.baseline).name;
  if (baseline !== undefined && !arms.some(({ name }) => name === baseline))
    throw new SurmiseError('bad_argument', `--baseline '${baseline}' is not among the arms. Add it to --arms.`);
  const lexicalOnly = arms.every(({ mode }) => mode === 'lexical');
  const { embedder, close } = await openKeptEmbedder(lexicalOnly ? 'none' : options.embedder, {
    keep: options.cache,
    settings: options.embedderSettings ?? {},
    signal,
  });
  if (embedder === undefined && arms.some(({ mode }) => mode !== 'lexical'))
    throw new SurmiseError('bad_argument', 'The arms dense and hybrid need an embedder. Give --embedder static.');
  const progress = startProgress(`Opening ${collection.name}`, options.json);
  const evaluate = (rebuild: boolean) =>
    evaluateArms(collection, arms, {
      ...(embedder && { embedder }),
      cache: options.cache,
      rebuild,
      signal,
      progress,
      compare: { margin, ...(baseline !== undefined && { baseline }) },
    });
  try {
    // A kept index may turn out to be damaged only where it is read; it can always be made again.
    const summary = await evaluate(false).catch((error: unknown) => {
      if (options.cache && isSurmiseError(error) && error.code === 'index_damaged') return evaluate(true);
      throw error;
    });
    progress.end();
    console.log(options.json ? JSON.stringify(summary) : renderEvaluation(summary));
  } finally {
    progress.end();
    close();
  }
}

async function evaluateArms(
  collection: EvalCollection,
  arms: readonly Arm[],
  options: EvalIndexOptions & { readonly compare: CompareArmsOptions },
): Promise<EvaluationSummary> {
  const { embedder, signal, progress, compare } = options;
  const store = await openEvalIndex(collection, options);
  try {
    const surmise = createSurmise({
      store,
      ...(embedder && { embedder }),
      feedback: feedbackGenerator(),
      ...(collection.hypotheses && { generator: fileGenerator(collection) }),
    });
    let read = 0;
    const counted = async function* (): AsyncGenerator<Document> {
      for await (const document of readCorpus(fileLines(collection.corpus), collection.corpus)) {
        read++;
        yield document;
      }
    };
    const own = await ownDocuments(collection.queries, counted());
    const { documents } = await store.info();
    if (documents === 0)
      throw new SurmiseError('bad_data', `${collection.corpus} holds no document with a title or a text.`);
    const hypothesesOf = ({ hyde, gated }: Arm, id: string): SearchOptions => {
      const hypotheses = hyde ? (collection.hypotheses?.get(id) ?? []) : [];
      if (!gated) return { hyde: 'on', hypotheses };
      // Those of the file are what a generator wrote, which the gate may keep out.
      return {
        hyde: 'auto',
        ...(hyde ? { n: Math.max(1, Math.min(maxWritten, hypotheses.length)) } : { hypotheses: [] }),
      };
    };
    const ask = async (arm: Arm, id: string, text: string): Promise<Scored[]> => {
      const result = await surmise.search(text, {
        k: depth,
        deadlineMs,
        ...arm.options,
        mode: arm.mode,
        feedback: arm.feedback,
        ...hypothesesOf(arm, id),
        signal,
      });
      return scoredDocuments(result);
    };
    const results: Record<string, EvaluationSummary['arms'][string]> = {};
    const perQuery = new Map<string, Map<string, number>>();
    for (const arm of arms) {
      const evaluation = await measure(collection, arm, own, ask, signal, progress.update);
      results[arm.name] = {
        ...(evaluation.mean as Record<(typeof measures)[number], number>),
        queries: evaluation.queries,
      };
      perQuery.set(arm.name, new Map([...evaluation.perQuery].map(([id, values]) => [id, values['nDCG@10']!])));
    }
    progress.update('Comparing the arms');
    const skipped = read - documents;
    return {
      dataset: collection.name,
      documents,
      ...(skipped > 0 && { skipped }),
      queries: collection.queries.length,
      arms: results,
      comparisons: compareArms(perQuery, compare),
    };
  } finally {
    await store.close();
  }
}

/** Writes what the file of hypotheses holds. */
function fileGenerator({ queries, hypotheses }: EvalCollection): Generator {
  const byText = new Map(queries.map(({ id, text }) => [text.normalize('NFC').trim(), hypotheses?.get(id) ?? []]));
  return deterministicGenerator((question) => byText.get(question) ?? [], { id: 'file' });
}

async function measure(
  { queries, qrels }: EvalCollection,
  arm: Arm,
  own: ReadonlySet<string>,
  ask: (arm: Arm, id: string, text: string) => Promise<Scored[]>,
  signal: AbortSignal,
  show: (message: string) => void,
): Promise<Evaluation> {
  const run = await runArm((id, text) => ask(arm, id, text), queries, {
    own,
    signal,
    onProgress: ({ done, total }) => show(`${arm.name}: ${done} of ${total} queries`),
  });
  return evaluateRun(qrels, run, measures, { queries: queries.map(({ id }) => id) });
}

function armsOf({ arms, hypotheses, embedder }: EvalCommandOptions): Arm[] {
  const lexical = ['lexical', 'lexical+feedback'];
  const hybrid = ['hybrid', 'hybrid+feedback'];
  const standard = [...lexical, ...(embedder === 'none' ? [] : hybrid)];
  const withHyde = hypotheses === undefined ? [] : ['lexical+hyde', ...(embedder === 'none' ? [] : ['hybrid+hyde'])];
  const parsed = parseArms(arms ?? [...standard, ...withHyde].join(','));
  const hyde = parsed.find((arm) => arm.hyde);
  if (hyde !== undefined && hypotheses === undefined)
    throw new SurmiseError('bad_argument', `The arm ${hyde.name} needs hypotheses. Give a file with --hypotheses.`);
  return parsed;
}
