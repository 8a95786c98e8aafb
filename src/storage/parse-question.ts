import type { Question, Requirement, StoreInfo } from '../core/ports.js';
import type { Clause } from '../kernels/bm25-query.js';
import type { IndexState } from './index-state.js';
import { questionLanguages, questionTerms } from './question-terms.js';

/** Without one of these a question holds no operator, and what reads them is not loaded. */
const mayHoldOperators = /["“”„*]|(?<!\S)-\p{L}/u;
/** Chunks of which the texts are read for the phrases of a question, at some 0.2 ms each. */
const mostTexts = 5_000;

/** Reads the operators of a question, see `Store.parse`. */
export async function parseQuestion(
  question: string,
  languages: StoreInfo['languages'],
): Promise<(state: IndexState) => Question> {
  if (!mayHoldOperators.test(question)) {
    const count = await questionTerms([question], languages);
    return ({ snapshot }) => ({ text: question, terms: count(snapshot.postings)[0]! });
  }
  const [{ parseQuery }, { operatorRows }, { intersectRows }, languagesOf] = await Promise.all([
    import('../kernels/parse-query.js'),
    import('./operator-rows.js'),
    import('../kernels/postings-sets.js'),
    questionLanguages([question], languages),
  ]);
  return (state) => {
    const { source } = state.operators(operatorRows);
    const chunksWith = (term: string) => source.postings(term)?.rows.length ?? 0;
    const parsed = parseQuery(question, languagesOf(question), { size: source.size, frequency: chunksWith });
    const terms = parsed.terms.map(({ term, weight }) => ({ term, weight, chunks: chunksWith(term) }));
    const candidates = (sequence: readonly string[]) =>
      intersectRows(Array.from(new Set(sequence), (term) => source.postings(term)?.rows ?? new Uint32Array(0))).length;
    const { require, notes } = withinReach({ must: parsed.must ?? [], not: parsed.not ?? [] }, candidates);
    const { prefixes = [], passedOver = [] } = parsed;
    if (passedOver.length > 0)
      notes.push(
        `"${passedOver[0]!.slice(0, 40)}" and all exclusions behind it are passed over: there are too many operators`,
      );
    return {
      text: parsed.text.trim(),
      terms,
      ...(prefixes.length > 0 && { prefixes }),
      ...(require.must.length + require.not.length > 0 && { require }),
      ...(notes.length > 0 && { notes }),
    };
  };
}

/**
 * Phrases whose words are together in so many chunks that reading these would take seconds: all of the words must be
 * there, their order is not looked at; one that must not be there is passed over.
 */
function withinReach({ must, not }: Requirement, candidates: (sequence: readonly string[]) => number) {
  let left = mostTexts;
  const tooMany = (clause: Clause) => {
    if (!('sequence' in clause) || clause.sequence.length < 2) return false;
    const count = candidates(clause.sequence);
    if (count > left) return true;
    left -= count;
    return false;
  };
  const notes: string[] = [];
  const note = (clauses: readonly Clause[], what: string) =>
    notes.push(`the words of "${wordsOf(clauses)}" are together in too many chunks to ${what}`);
  const kept = must.flatMap((clauses) => {
    if (!clauses.some(tooMany)) return [clauses];
    note(clauses, 'look for them as a phrase; chunks that hold all of them are searched');
    return singly(clauses);
  });
  const refused = not.filter((clause) => {
    if (!tooMany(clause)) return true;
    note([clause], 'leave out those that hold the phrase');
    return false;
  });
  return { require: { must: kept, not: refused }, notes };
}

/** Word by word, so that a chunk which holds all words of one form passes. */
function singly(clauses: readonly Clause[]): Clause[][] {
  const sequences = clauses.flatMap((clause) => ('sequence' in clause ? [[...new Set(clause.sequence)]] : []));
  const longest = Math.max(...sequences.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    // A form that has no word here asks for its last one again.
    sequences.map((sequence) => ({ sequence: [sequence[Math.min(at, sequence.length - 1)]!] })),
  );
}

function wordsOf(clauses: readonly Clause[]): string {
  const [first] = clauses;
  return first !== undefined && 'sequence' in first ? first.sequence.join(' ') : '';
}
