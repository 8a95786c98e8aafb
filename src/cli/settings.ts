import { address, fraction, oneOf, type SettingKind, text, texts, wholeNumber, yesOrNo } from './setting-kinds.js';

/** One thing that a user can set in a file, by a variable or by the flag of a command. */
export interface Setting<T = unknown> {
  readonly kind: SettingKind<T>;
  /** Absent where the default depends on the index or the command; `effect` says then what it is. */
  readonly standard?: T;
  /** What it changes, in one sentence. */
  readonly effect: string;
  /** The option of commands that sets it, as its attribute is called: `--min-score` is `minScore`. */
  readonly option: string;
  /** Where a command takes it beside that option: in an object of this name, under the last part of its own. */
  readonly into?: string;
  /** Further names of its variable, in order of precedence, after the one that follows from its own name. */
  readonly aliases?: readonly string[];
  /** Whether a value is a path, which in a file is meant from where the file stands. */
  readonly isPath?: (value: unknown) => boolean;
  /** Never shown. */
  readonly secret?: boolean;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

/** How a provider is reached. */
function connection<const Side extends 'embedder' | 'generator'>(side: Side) {
  const shared = { option: side, into: `${side}Settings`, kind: text } as const;
  const named = {
    [`${side}.baseUrl`]: setting({
      ...shared,
      kind: address,
      effect: "The address of the provider's server, where it is not the usual one.",
    }),
    [`${side}.apiKey`]: setting({
      ...shared,
      effect: 'The key; without it that of the usual variable, such as OPENAI_API_KEY.',
      secret: true,
    }),
    [`${side}.region`]: setting({
      ...shared,
      effect: 'The region of AWS; without it BEDROCK_REGION, AWS_REGION, us-east-1.',
    }),
    [`${side}.profile`]: setting({ ...shared, effect: 'The profile of AWS; without it AWS_PROFILE, default.' }),
  };
  return named as Record<`${Side}.${'baseUrl' | 'apiKey' | 'region' | 'profile'}`, Setting<string>>;
}

/** Every setting by its name in a configuration file: `search.k` is `{"search": {"k": 10}}`. */
export const settings = {
  index: setting({
    option: 'index',
    kind: text,
    isPath: (value) => value !== ':memory:',
    effect: "The index file; without it the nearest .surmise/index.db upwards, else one in the user's data folder.",
  }),
  cache: setting({
    option: 'cache',
    kind: yesOrNo,
    standard: true,
    effect: 'Whether what models wrote and embedded is kept beside the index, so that they are not asked again.',
  }),
  'embedder.provider': setting({
    option: 'embedder',
    kind: text,
    isPath: (value) => /[\\/]/.test(String(value)) && !String(value).includes(':'),
    effect:
      'What makes vectors: static (built in, English), none, local:FOLDER, a provider such as voyage or ollama, or the path of a table.',
    aliases: ['SURMISE_EMBED_PROVIDER', 'CHATCLI_EMBED_PROVIDER'],
  }),
  'embedder.model': setting({
    option: 'embedder',
    into: 'embedderSettings',
    kind: text,
    effect: "The provider's model; without it the provider's usual one.",
    aliases: ['SURMISE_EMBED_MODEL', 'CHATCLI_EMBED_MODEL'],
  }),
  'embedder.dimensions': setting({
    option: 'embedder',
    into: 'embedderSettings',
    kind: wholeNumber(1, 65_536),
    effect: "What the provider cuts vectors to; without it the model's own.",
    aliases: ['SURMISE_EMBED_DIMENSIONS', 'CHATCLI_EMBED_DIMENSIONS'],
  }),
  ...connection('embedder'),
  'generator.provider': setting({
    option: 'generator',
    kind: text,
    effect: 'What writes hypotheses: none, or a provider such as openai, anthropic or ollama.',
  }),
  'generator.model': setting({
    option: 'generator',
    into: 'generatorSettings',
    kind: text,
    effect: "The provider's language model.",
  }),
  ...connection('generator'),
  'search.k': setting({ option: 'k', kind: wholeNumber(1, 1_000), standard: 10, effect: 'How many hits at most.' }),
  'search.hyde': setting({
    option: 'hyde',
    kind: oneOf('auto', 'on', 'off'),
    standard: 'auto',
    effect: 'Whether to search with hypotheses too.',
  }),
  'search.n': setting({
    option: 'n',
    kind: wholeNumber(1, 32),
    effect: 'How many hypotheses are written; without it one by a local model, three by a hosted one.',
  }),
  'search.deadlineMs': setting({
    option: 'deadline',
    kind: wholeNumber(1, 600_000),
    standard: 5_000,
    effect: 'How long a search may wait for models, in milliseconds.',
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
    effect: 'Share of the dense leg in a hybrid list; without it what the index measured of its legs.',
  }),
  'indexing.maxBytes': setting({
    option: 'maxBytes',
    into: 'configured',
    kind: wholeNumber(1, 1_000_000_000),
    standard: 10_000_000,
    effect: 'Files larger than this are skipped.',
  }),
  'indexing.maxFiles': setting({
    option: 'maxFiles',
    into: 'configured',
    kind: wholeNumber(1, 100_000_000),
    standard: 200_000,
    effect: 'More files than this are taken for a mistake.',
  }),
  'indexing.maxTokens': setting({
    option: 'maxTokens',
    kind: wholeNumber(0, 1e12),
    effect: 'No more tokens than this are embedded by one command; without it no bound.',
  }),
  'indexing.followLinks': setting({
    option: 'followLinks',
    into: 'configured',
    kind: yesOrNo,
    standard: false,
    effect: 'Whether symbolic links inside the folders are followed.',
  }),
  'indexing.include': setting({
    option: 'include',
    into: 'configured',
    kind: texts,
    effect: 'Only files that fit one of these globs.',
  }),
  'indexing.exclude': setting({
    option: 'exclude',
    into: 'configured',
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
