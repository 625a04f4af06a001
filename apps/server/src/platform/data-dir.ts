/**
 * The data directory of this installation. Invariants: a new one is closed to other users; one that holds foreign files is
 * not changed. Refusals of the file system become one-line reasons that an operator can act on.
 */
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from './log/index.ts';
import { StartError } from './start-error.ts';

/** Creates a missing data directory. Throws a StartError when this process cannot use it. */
export function ensureDataDir(dir: string): void {
  try {
    makeFolder(dir, 0o700);
    if (!statSync(dir).isDirectory())
      throw new StartError(`the data directory ${dir} is a file; set DATA_DIR`);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toStartError(error, dir);
  }
}

/** Entries that this program creates; any other entry belongs to the operator. */
const ownEntries = /^(postgres($|\.)|secrets\.json|outbox$|restore-unfinished)/;
const stickyBit = 0o1000;

/**
 * Removes the listing of an open data directory for other users. They may still traverse it, which the database's account
 * needs when root runs the server. A directory with foreign files stays unchanged, and the log states it.
 */
export function restrictDataDir(dir: string, log: Log): void {
  const { uid, mode } = statSync(dir);
  if ((mode & 0o066) === 0 || process.platform === 'win32') return;
  const isOurs = uid === process.getuid?.() && (mode & stickyBit) === 0;
  if (isOurs && readdirSync(dir).every((name) => ownEntries.test(name))) {
    chmodSync(dir, mode & 0o711);
    log.info({ dir }, 'the data directory is closed to other users now');
    return;
  }
  log.warn(
    { dir, mode: (mode & 0o777).toString(8) },
    'other users may look into the data directory, which holds more than the files of this server or belongs to another user; run: chmod go-rw on it, or set DATA_DIR to a folder of its own',
  );
}

/** As `mkdir -p`. Node's recursive version never returns below a folder that accepts no entries, such as /proc. */
function makeFolder(dir: string, mode?: number): void {
  if (statSync(dir, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(dir);
  if (parent !== dir) makeFolder(parent);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // Another process created it first.
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

/** Returns a StartError for a refusal of the file system in the data directory; returns any other error unchanged. */
export function toStartError(error: unknown, dir: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const reason =
    reasons[code] ??
    (code === 'EACCES' || code === 'EPERM' ? explainOwner(dir) : null) ??
    'set DATA_DIR to another';
  return new StartError(`cannot use the data directory ${dir}: ${error.message} (${reason})`, {
    cause: error,
  });
}

function explainOwner(dir: string): string | null {
  const self = process.getuid?.();
  try {
    const { uid } = statSync(dir);
    if (self === undefined || self === uid) return null;
    return `it belongs to user id ${uid}, and this is user id ${self}; start as its owner or set DATA_DIR`;
  } catch {
    // Even the owner cannot be read; the message has the path.
    return null;
  }
}
