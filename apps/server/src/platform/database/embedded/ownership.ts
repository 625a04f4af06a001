/**
 * Who runs a data directory. Invariant: at most one live process holds the owner file, so whoever holds it may treat a
 * PostgreSQL that still runs there as the orphan of a killed predecessor.
 *
 * Known limitation: two containers that share a volume do not see each other's pids.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { StartError } from '../../start-error.ts';
import { runningProcess } from './processes.ts';

export interface Ownership {
  release(): void;
}

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

function livePid(text: string): number | null {
  const [pid, startedAt] = text.trim().split('\n');
  const running = runningProcess(Number(pid));
  return running !== null && running.startedAt === startedAt ? Number(pid) : null;
}

/** Takes the directory for this process. Throws a StartError while another live process has it. */
export function takeOwnership(file: string, dir: string): Ownership {
  const self = runningProcess(process.pid);
  if (self === null) throw new StartError(`cannot read the start time of process ${process.pid}`);
  const mine = `${process.pid}\n${self.startedAt}\n`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // link(2) is the atomic "create unless it exists" that never shows a half-written file.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (tryLink(draft, file)) return { release: () => releaseOwned(file, mine) };
      const seen = readOwner(file);
      if (seen === null) continue;
      const pid = livePid(seen);
      if (pid !== null) {
        throw new StartError(
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

function releaseOwned(file: string, mine: string): void {
  if (readOwner(file) === mine) rmSync(file, { force: true });
}
