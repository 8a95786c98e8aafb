import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DiskPace } from '../../src/files/disk-pace.js';
import { type ReadFile, readDocument } from '../../src/files/read.js';
import { openRoot } from '../../src/files/root.js';
import type { Skip } from '../../src/files/skip.js';
import { type WalkedFile, type WalkOptions, walk } from '../../src/files/walk.js';

/** A symbolic link in a tree. */
export const link = (to: string) => ({ to });

/** A real folder with these files and links, removed after the test. Names ending in `/` are empty folders. */
export async function makeTree(files: Record<string, string | Uint8Array | { to: string }>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'surmise-files-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (typeof content === 'object' && 'to' in content) await symlink(content.to, path);
    else if (!name.endsWith('/')) await writeFile(path, content);
  }
  return root;
}

/** What a walk gives, paths relative to the first root. */
export async function walked(roots: string | string[], options: WalkOptions = {}, pace?: DiskPace) {
  const list = [roots].flat();
  const short = (path: string) => (path.startsWith(`${list[0]}/`) ? path.slice(list[0]!.length + 1) : path);
  const files: WalkedFile[] = [];
  const skips: Skip[] = [];
  const opened = await Promise.all(list.map((root) => openRoot(root, options)));
  for await (const file of walk(opened, { onSkip: (skip) => skips.push(skip), ...options }, pace)) files.push(file);
  return {
    files,
    paths: files.map(({ path }) => short(path)),
    skips,
    skipped: Object.fromEntries(skips.map(({ path, reason }) => [short(path), reason])),
  };
}

/** One file, written, walked and read. */
export async function readContent(name: string, content: string | Uint8Array): Promise<ReadFile> {
  const read = await readOrSkip(name, content);
  if ('skip' in read) throw new Error(`skipped: ${read.skip.reason}, ${read.skip.detail}`);
  return read;
}

export async function readOrSkip(name: string, content: string | Uint8Array) {
  const { files } = await walked(await makeTree({ [name]: content }));
  return readDocument(files[0]!);
}
