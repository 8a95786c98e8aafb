import { existsSync } from 'node:fs';
import pc from 'picocolors';
import { errorCodes, type StoreInfo } from '../core/index.js';
import { openSqliteStore } from '../storage/index.js';
import {
  attempted,
  type Check,
  checkEmbedding,
  checkGeneration,
  checkSpace,
  checkTruncation,
} from './doctor-checks.js';
import { openEmbedder } from './embedder-option.js';
import { openGenerator } from './generator-option.js';
import { indexPath } from './index-path.js';
import { findLoopbackServers, type LoopbackServer } from './loopback-servers.js';
import { describePlace, modelPlace } from './model-place.js';
import { oneLine } from './printable.js';
import { startProgress } from './progress.js';
import { readSettings } from './read-settings.js';
import type { ConfiguredModels } from './status-models.js';

export interface DoctorOptions extends ConfiguredModels {
  readonly index?: string;
  readonly json?: boolean;
}

/**
 * Tries what is configured, with one text each and the needle test, and looks for servers on this machine that could be
 * used. `--json` prints `{checks, servers}`. The exit code is that of the first check that failed.
 */
export async function doctorCommand(options: DoctorOptions, signal: AbortSignal): Promise<void> {
  const { json = false } = options;
  const progress = startProgress('Trying what is configured', json);
  try {
    const searching = findLoopbackServers(signal);
    // It is waited for at the end; what fails before must not leave it alone.
    searching.catch(() => {});
    const checks = [await checkConfiguration(signal), ...(await checkModels(options, signal))];
    const servers = await searching;
    progress.end();
    if (json) console.log(JSON.stringify({ checks, servers }));
    else for (const line of [...checks.map(renderCheck), ...renderServers(servers, options)]) console.log(line);
    const failed = checks.find(({ state }) => state === 'failed');
    if (failed !== undefined) process.exitCode = errorCodes[failed.code ?? 'internal'].exit;
  } finally {
    progress.end();
  }
}

function checkConfiguration(signal: AbortSignal): Promise<Check> {
  return attempted('configuration', signal, async () => {
    const { files, warnings } = await readSettings();
    const detail = files.length === 0 ? 'no file' : files.join(', ');
    return {
      name: 'configuration',
      state: warnings.length === 0 ? 'ok' : 'warning',
      detail: [detail, ...warnings].join('; '),
    };
  });
}

async function checkModels(options: DoctorOptions, signal: AbortSignal): Promise<Check[]> {
  const { embedder: named, embedderSettings: settings = {}, generator, generatorSettings = {} } = options;
  const checks: Check[] = [];
  /** Keeps what the check gives, and says whether the next one makes sense. */
  const run = async (name: string, check: () => Promise<Check>): Promise<boolean> => {
    const found = await attempted(name, signal, check);
    checks.push(found);
    return found.state !== 'failed';
  };

  let info: StoreInfo | undefined;
  const path = indexPath(options.index);
  if (path === ':memory:' || !existsSync(path))
    checks.push({
      name: 'index',
      state: 'not tried',
      detail: `There is none at ${path} yet.`,
      todo: 'surmise index FOLDER',
    });
  else
    await run('index', async () => {
      info = await infoOf(path);
      return { name: 'index', state: 'ok', detail: `${path}, ${info.documents.toLocaleString('en')} documents` };
    });

  let embedder: Awaited<ReturnType<typeof openEmbedder>>;
  const place = await modelPlace(named ?? 'static', settings);
  const opened = await run('embedder', async () => {
    embedder = await openEmbedder(named, { settings, signal, ...(info && { info }) });
    if (embedder === undefined)
      return { name: 'embedder', state: 'not tried', detail: 'None: only words are searched.' };
    return {
      name: 'embedder',
      state: 'ok',
      detail: `texts go to ${place === undefined ? 'nobody' : describePlace(place)}`,
    };
  });
  const own = embedder;
  if (opened && own !== undefined) {
    if (info?.fingerprint !== undefined) checks.push(checkSpace(info.fingerprint, own));
    if (await run('embedding', () => checkEmbedding(own, signal)))
      await run('truncation', () => checkTruncation(own, signal));
  }

  const writer = await modelPlace(generator, generatorSettings);
  if (writer === undefined)
    checks.push({ name: 'generator', state: 'not tried', detail: 'None: no model is asked for hypotheses.' });
  else
    await run('generation', async () => {
      const model = await openGenerator(generator, generatorSettings);
      const { detail, ...check } = await checkGeneration(model!, signal);
      return { ...check, detail: `${detail}; texts go to ${describePlace(writer)}` };
    });
  return checks;
}

async function infoOf(path: string): Promise<StoreInfo> {
  const store = openSqliteStore({ path, access: 'read' });
  try {
    return await store.info();
  } finally {
    await store.close();
  }
}

const marks: Readonly<Record<Check['state'], string>> = {
  ok: pc.green('ok     '),
  warning: pc.yellow('warning'),
  failed: pc.red('failed '),
  'not tried': pc.dim('–      '),
};

function renderCheck({ name, state, detail, todo }: Check): string {
  const line = `${marks[state]} ${name.padEnd(13)} ${oneLine(detail, 1_000)}`;
  return todo === undefined ? line : `${line}\n        ${' '.repeat(13)} → ${oneLine(todo, 500)}`;
}

/** What runs here and is not used is offered; it is used when it is named. */
function renderServers(servers: readonly LoopbackServer[], { embedder = '', generator = '' }: DoctorOptions): string[] {
  return servers.flatMap(({ name, url, models, offers }) => [
    `\n${name} runs at ${url} with ${models.length} models. It is asked for nothing unless you name it${offers.length > 0 ? ':' : '.'}`,
    ...offers
      .filter((offer) => ![embedder, generator].some((used) => used !== '' && offer.endsWith(` ${used}`)))
      .map((offer) => `  ${oneLine(offer, 300)}`),
  ]);
}
