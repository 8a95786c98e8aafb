import { fstatSync } from 'node:fs';
import { SurmiseError } from '../core/errors.js';
import { systemReason } from './system-error.js';

/**
 * Standard input, for reading. Where it is closed, Node puts the empty device in its place, which can not be told from
 * an input without anything in it.
 *
 * @throws SurmiseError `unreadable` for a folder, which would seem to be empty, and for what can not be looked at
 */
export function openStandardInput(): AsyncIterable<Uint8Array | string> {
  checkDescriptor(0);
  return process.stdin;
}

/** @throws SurmiseError `unreadable` */
export function checkDescriptor(descriptor: number): void {
  let folder: boolean;
  try {
    folder = fstatSync(descriptor).isDirectory();
  } catch (error) {
    throw new SurmiseError('unreadable', `Standard input can not be read: ${systemReason(error)}.`, { cause: error });
  }
  if (folder)
    throw new SurmiseError(
      'unreadable',
      'Standard input is a folder, which can not be read as lines. Name the folder itself: surmise index FOLDER',
    );
}
