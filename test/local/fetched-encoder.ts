import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, type TestContext } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/fetch-encoders.js', import.meta.url));

export interface FetchedEncoder {
  /** Its folder; skips the test where it could not be fetched, which on CI is a failure. */
  folder(context: Pick<TestContext, 'skip'>): string;
}

/** Has a real encoder fetched before the tests of a file, into the user's cache folder. */
export function fetchedEncoder(name: string): FetchedEncoder {
  let folder: string | undefined;
  let reason = '';
  beforeAll(async () => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [script, name]);
      folder = stdout.trim();
    } catch (error) {
      reason = `the encoder ${name} can not be fetched: ${error}`;
      if (process.env.CI === 'true') throw new Error(reason);
    }
  }, 600_000);
  return { folder: (context) => folder ?? context.skip(reason) };
}
