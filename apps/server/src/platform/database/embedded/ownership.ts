/**
 * Ownership of a data directory. Invariant: at most one live process holds the owner file, so its holder may treat a
 * PostgreSQL that still runs there as an orphan of a killed predecessor.
 *
 * Known limitations: two containers that share a volume do not see each other's pids. When three processes contend for the
 * directory of a dead one at the same instant, one may move a live owner's file aside and fail to put it back.
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
  /** Announces to waiting processes that the directory will soon be free. */
  announceStop(): void;
  release(): void;
}

/** Third line of the owner file while its process stops. */
const stoppingMark = 'leaving';
/** Longer than a stop takes. */
const waitForStopMs = 60_000;

/** Returns the pid of the live process in the owner file; null without a file or after the process ended. */
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

/** Undecodable text, as after a full disk, names no process. */
function livePid(text: string): number | null {
  const [pid, startedAt] = text.trim().split('\n');
  const running = runningProcess(Number(pid));
  return running !== null && running.startedAt === startedAt ? Number(pid) : null;
}

/** As `takeOwnership`, but waits for a process that is stopping. */
export async function awaitOwnership(dir: string, log: Log): Promise<Ownership> {
  const file = ownerFile(dir);
  const isOwnerStopping = () => {
    const ownerText = readOwner(file);
    return ownerText !== null && livePid(ownerText) !== null && ownerText.split('\n')[2] === stoppingMark;
  };
  if (isOwnerStopping()) log.info({ dir }, 'waiting for the server that stops in this data directory');
  await waitUntil(() => !isOwnerStopping(), waitForStopMs);
  return takeOwnership(file, dir);
}

/** Takes the directory for this process. Throws DataDirInUse while another live process has it. */
export function takeOwnership(file: string, dir: string): Ownership {
  const self = runningProcess(process.pid);
  if (self === null) throw new StartError(`cannot read the start time of process ${process.pid}`);
  const ownText = `${process.pid}\n${self.startedAt}\n`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, ownText, { mode: 0o600 });
  try {
    // link(2) is the atomic "create unless it exists" that never shows a half-written file.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (tryLink(draft, file)) return createOwnership(file, ownText);
      const ownerText = readOwner(file);
      if (ownerText === null) continue;
      const pid = livePid(ownerText);
      if (pid !== null) {
        throw new DataDirInUse(
          `the data directory ${dir} is in use by process ${pid}; stop it or set DATA_DIR`,
        );
      }
      removeStale(file, ownerText);
    }
    throw new StartError(`the data directory ${dir} is being taken by another process; try again`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createOwnership(file: string, ownText: string): Ownership {
  let current = ownText;
  return {
    announceStop: () => {
      if (current !== ownText || readOwner(file) !== ownText) return;
      const draft = `${file}.${process.pid}`;
      try {
        writeFileSync(draft, `${ownText}${stoppingMark}\n`, { mode: 0o600 });
        renameSync(draft, file);
        current = `${ownText}${stoppingMark}\n`;
      } catch {
        // A full disk must not block the stop; a start meanwhile reports that the directory is in use.
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

/** Moves the stale file aside before deleting it: the moved file may already be that of a faster contender. */
function removeStale(file: string, ownerText: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(aside) !== ownerText) tryLink(aside, file);
  rmSync(aside, { force: true });
}
