import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const cliPath = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a user would, with its data, cache and configuration folders in `home`. */
export function surmise(
  args: readonly string[],
  options: {
    readonly home: string;
    readonly cwd?: string;
    /** Variables beside those that there are. */
    readonly variables?: Readonly<Record<string, string>>;
    /** Aborting it interrupts the command as Ctrl-C does. */
    readonly signal?: AbortSignal;
    /** What the command reads from standard input. */
    readonly input?: string;
    /** Told what the command has written to stdout so far. */
    readonly onOutput?: (stdout: string) => void;
  },
): Promise<Outcome> {
  const { home, cwd = home, variables, signal, input, onOutput } = options;
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    XDG_DATA_HOME: `${home}/data`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
    NO_COLOR: '1',
    ...variables,
  };
  const child = spawn(process.execPath, [cliPath, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
