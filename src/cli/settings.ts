import { fraction, oneOf, type SettingKind, text, texts, wholeNumber, yesOrNo } from './setting-kinds.js';

/** One thing that a user can set in a file, by a variable or by the flag of a command. */
export interface Setting<T = unknown> {
  readonly kind: SettingKind<T>;
  /** Absent where the default depends on the index or the command; `effect` says then what it is. */
  readonly standard?: T;
  /** What it changes, in one sentence. */
  readonly effect: string;
  /** The option of commands that sets it, as its attribute is called: `--min-score` is `minScore`. */
  readonly option: string;
  /** Further names of its variable, in order of precedence, after the one that follows from its own name. */
  readonly aliases?: readonly string[];
  /** Whether a value is a path, which in a file is meant from where the file stands. */
  readonly isPath?: (value: unknown) => boolean;
  /** Never shown. */
  readonly secret?: boolean;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

/** Every setting by its name in a configuration file: `search.k` is `{"search": {"k": 10}}`. */
export const settings = {
  index: setting({
    option: 'index',
    kind: text,
    isPath: (value) => value !== ':memory:',
    effect: "The index file; without it the nearest .surmise/index.db upwards, else one in the user's data folder.",
  }),
  'embedder.provider': setting({
    option: 'embedder',
    kind: text,
    isPath: (value) => value !== 'static' && value !== 'none',
    effect: 'What makes vectors: static (built in, English), none, or the path of a table of the same format.',
    aliases: ['SURMISE_EMBED_PROVIDER', 'CHATCLI_EMBED_PROVIDER'],
  }),
  'search.k': setting({ option: 'k', kind: wholeNumber(1, 1_000), standard: 10, effect: 'How many hits at most.' }),
  'search.hyde': setting({
    option: 'hyde',
    kind: oneOf('auto', 'on', 'off'),
    standard: 'auto',
    effect: 'Whether to search with hypotheses too.',
  }),
  'search.mode': setting({
    option: 'mode',
    kind: oneOf('lexical', 'dense', 'hybrid'),
    effect: 'Which legs run; without it hybrid where the index has vectors.',
  }),
  'search.per': setting({
    option: 'per',
    kind: oneOf('document', 'chunk'),
    standard: 'document',
    effect: 'One hit for each of these.',
  }),
  'search.minScore': setting({
    option: 'minScore',
    kind: fraction,
    standard: 0,
    effect: 'Hits with a lower score are left out.',
  }),
  'search.feedback': setting({
    option: 'feedback',
    kind: yesOrNo,
    standard: true,
    effect: 'Whether the best passages of the first list join in as hypotheses.',
  }),
  'search.fusion': setting({
    option: 'fusion',
    kind: oneOf('linear', 'rrf'),
    standard: 'linear',
    effect: 'How the legs become one list: scores added, or reciprocal ranks.',
  }),
  'search.denseWeight': setting({
    option: 'denseWeight',
    kind: fraction,
    standard: 0.5,
    effect: 'Share of the dense leg in a hybrid list.',
  }),
  'indexing.maxBytes': setting({
    option: 'maxBytes',
    kind: wholeNumber(1, 1_000_000_000),
    standard: 10_000_000,
    effect: 'Files larger than this are skipped.',
  }),
  'indexing.maxFiles': setting({
    option: 'maxFiles',
    kind: wholeNumber(1, 100_000_000),
    standard: 200_000,
    effect: 'More files than this are taken for a mistake.',
  }),
  'indexing.followLinks': setting({
    option: 'followLinks',
    kind: yesOrNo,
    standard: false,
    effect: 'Whether symbolic links inside the folders are followed.',
  }),
  'indexing.include': setting({ option: 'include', kind: texts, effect: 'Only files that fit one of these globs.' }),
  'indexing.exclude': setting({
    option: 'exclude',
    kind: texts,
    effect: 'No files or folders that fit one of these globs.',
  }),
} as const;

export type SettingName = keyof typeof settings;

export type SettingValue<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never;

export const settingNames = Object.keys(settings) as SettingName[];

/** The variable of a setting: `search.minScore` is `SURMISE_SEARCH_MIN_SCORE`. */
export function variableOf(name: SettingName): string {
  return `SURMISE_${name
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('.', '_')
    .toUpperCase()}`;
}
