/**
 * The PostgreSQL that another process of this project runs on a data directory: who that is, and where its socket lies.
 * PostgreSQL itself writes the latter into its lock file, so it holds for whichever account started the server.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { liveOwner, ownerFile } from './ownership.ts';

export interface RunningCluster {
  /** The process that owns the data directory: the server, or a tool at work on it. */
  readonly ownerPid: number;
  /** null while PostgreSQL does not accept connections: it starts, stops or is being restarted. */
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
  if (!existsSync(cluster)) return null;
  let lines: string[];
  try {
    lines = readFileSync(join(realpathSync(cluster), 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const socketDir = lines[lockLine.socketDir]?.trim() ?? '';
  return lines[lockLine.status]?.trim() === 'ready' && socketDir !== '' ? socketDir : null;
}
