/**
 * Who runs a data directory. Invariant: at most one live process holds the owner file, so whoever holds it may treat a
 * PostgreSQL that still runs there as the orphan of a killed predecessor.
 *
 * Known limitations: two containers that share a volume do not see each other's pids; and where three processes contend
 * for the directory of a dead one in the same instant, one may move a live owner's file aside and fail to put it back,
 * because the third was faster.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { runningProcess, waitUntil } from './processes.ts';

/** Another live process has the data directory. */
export class DataDirInUse extends StartError {}

/** The file that names the process that runs the data directory. */
export const ownerFile = (dir: string) => join(dir, 'postgres.owner');

export interface Ownership {
  /** Tells those who want the directory that it will soon be free. */
  leave(): void;
  release(): void;
}

/** In the owner file's third line while its process stops. */
const leaving = 'leaving';
/** Longer than a stop takes. */
const waitForLeavingMs = 60_000;

/** Pid of the live process that the owner file names; null when there is no file or its process has ended. */
export function liveOwner(file: string): number | null {
  const text = readOwner(file);
  return text === null ? null : livePid(text);
}

function readOwner(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Undecodable text, of a disk that was full, names nobody. */
function livePid(text: string): number | null {
  const [pid, startedAt] = text.trim().split('\n');
  const running = runningProcess(Number(pid));
  return running !== null && running.startedAt === startedAt ? Number(pid) : null;
}

/** As `takeOwnership`, but waits for a process that is on its way out. */
export async function awaitOwnership(dir: string, log: Log): Promise<Ownership> {
  const file = ownerFile(dir);
  const isBeingLeft = () => {
    const seen = readOwner(file);
    return seen !== null && livePid(seen) !== null && seen.split('\n')[2] === leaving;
  };
  if (isBeingLeft()) log.info({ dir }, 'waiting for the server that stops in this data directory');
  await waitUntil(() => !isBeingLeft(), waitForLeavingMs);
  return takeOwnership(file, dir);
}

/** Takes the directory for this process. Throws DataDirInUse while another live process has it. */
export function takeOwnership(file: string, dir: string): Ownership {
  const self = runningProcess(process.pid);
  if (self === null) throw new StartError(`cannot read the start time of process ${process.pid}`);
  const mine = `${process.pid}\n${self.startedAt}\n`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // link(2) is the atomic "create unless it exists" that never shows a half-written file.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (tryLink(draft, file)) return owned(file, mine);
      const seen = readOwner(file);
      if (seen === null) continue;
      const pid = livePid(seen);
      if (pid !== null) {
        throw new DataDirInUse(
          `the data directory ${dir} is in use by process ${pid}; stop it or set DATA_DIR`,
        );
      }
      removeStale(file, seen);
    }
    throw new StartError(`the data directory ${dir} is being taken by another process; try again`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function owned(file: string, mine: string): Ownership {
  let current = mine;
  return {
    leave: () => {
      if (current !== mine || readOwner(file) !== mine) return;
      const draft = `${file}.${process.pid}`;
      try {
        writeFileSync(draft, `${mine}${leaving}\n`, { mode: 0o600 });
        renameSync(draft, file);
        current = `${mine}${leaving}\n`;
      } catch {
        // A full disk keeps nobody from stopping; who starts meanwhile is told that the directory is in use.
        rmSync(draft, { force: true });
      }
    },
    release: () => {
      if (readOwner(file) === current) rmSync(file, { force: true });
    },
  };
}

function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale file aside before deleting it: what was moved may already be a faster contender's file. */
function removeStale(file: string, seen: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(aside) !== seen) tryLink(aside, file);
  rmSync(aside, { force: true });
}
