/**
 * The folder of everything that this installation keeps. What the file system refuses is told in words that an operator
 * can act on.
 */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error.ts';

/** Makes the data directory where it is missing. Throws a StartError when this process cannot work in it. */
export function ensureDataDir(dir: string): void {
  try {
    makeFolder(dir);
    if (!statSync(dir).isDirectory())
      throw new StartError(`the data directory ${dir} is a file; set DATA_DIR`);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw inWords(error, dir);
  }
}

/** As `mkdir -p`. Node's own recursive one never returns below a folder that takes no entries, such as /proc. */
function makeFolder(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(dir);
  if (parent !== dir) makeFolder(parent);
  try {
    mkdirSync(dir);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: "the user's disk quota is used up; free some space",
  EROFS: 'the file system is read-only; mount it for writing or set DATA_DIR',
  EIO: 'the disk reports an error; check it',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine; raise the limit',
};

/** A StartError for what the file system refused in the data directory; any other error stays what it is. */
export function inWords(error: unknown, dir: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const reason =
    reasons[code] ??
    (code === 'EACCES' || code === 'EPERM' ? ownedBy(dir) : null) ??
    'set DATA_DIR to another';
  return new StartError(`cannot use the data directory ${dir}: ${error.message} (${reason})`, {
    cause: error,
  });
}

function ownedBy(dir: string): string | null {
  const self = process.getuid?.();
  try {
    const { uid } = statSync(dir);
    if (self === undefined || self === uid) return null;
    return `it belongs to user id ${uid}, and this is user id ${self}; start as its owner or set DATA_DIR`;
  } catch {
    // Not even its owner may be asked; the message has the path.
    return null;
  }
}
