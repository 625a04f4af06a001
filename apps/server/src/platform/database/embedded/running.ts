/**
 * Finds the PostgreSQL that another process of this project runs on a data directory: its owner and its socket directory.
 * PostgreSQL writes the latter into its lock file, so this works for any account that started the server.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { liveOwner, ownerFile } from './ownership.ts';

interface RunningCluster {
  /** The process that owns the data directory: the server, or a tool at work on it. */
  readonly ownerPid: number;
  /** null while PostgreSQL does not accept connections: it starts, stops or restarts. */
  readonly socketDir: string | null;
}

/** Lines of `postmaster.pid`, counted from 0 (PostgreSQL's pidfile.h). */
const lockLine = { socketDir: 4, status: 7 } as const;

/** Null when no live process owns `dir`. Throws an Error of the file system when its files may not be read. */
export function runningCluster(dir: string): RunningCluster | null {
  const ownerPid = liveOwner(ownerFile(dir));
  return ownerPid === null ? null : { ownerPid, socketDir: socketDirOf(join(dir, 'postgres')) };
}

function socketDirOf(cluster: string): string | null {
  return linesOfLock(cluster)[lockLine.status]?.trim() === 'ready' ? lockedSocketDir(cluster) : null;
}

/** Returns the socket directory of the last PostgreSQL on a cluster, running or not; null without its lock file. */
export function lockedSocketDir(cluster: string): string | null {
  const dir = linesOfLock(cluster)[lockLine.socketDir]?.trim() ?? '';
  return dir === '' ? null : dir;
}

function linesOfLock(cluster: string): string[] {
  if (!existsSync(cluster)) return [];
  try {
    return readFileSync(join(realpathSync(cluster), 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
