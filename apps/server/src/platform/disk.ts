/**
 * Monitors the free space of the disks under the data directory, for `/health` and the log, before PostgreSQL has to refuse
 * writes. The database may lie on another disk than the directory itself (a link, a mount).
 *
 * Invariants: no caller waits for a disk; at most one check holds threads, which other file and name look-ups need too.
 *
 * Known limitations: quotas of a user are not visible; the disks of a PostgreSQL behind DATABASE_URL are not checked.
 */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log/index.ts';

const checkEveryMs = 5000;
/** Limits how long the start waits for the first check. */
const firstCheckWithinMs = 2000;
/** A disk is low below this share, unless it has more than `enoughBytes`; and always below `leastBytes`. */
const lowShare = 0.05;
const enoughBytes = 2 * 1024 ** 3;
const leastBytes = 256 * 1024 ** 2;

export interface DiskState {
  readonly low: boolean;
  /** Free bytes of the fullest disk; null while it cannot be read. */
  readonly freeBytes: number | null;
  readonly sizeBytes: number | null;
}

export interface DiskMonitor {
  start(): Promise<void>;
  stop(): void;
  /** The result of the last check, a few seconds old where the disk answers. */
  state(): DiskState;
}

export interface Space {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

export function isLow({ freeBytes, sizeBytes }: Space): boolean {
  return freeBytes < Math.max(leastBytes, Math.min(sizeBytes * lowShare, enoughBytes));
}

/** Returns the space that an ordinary account may use; null where it cannot be read. */
export async function readSpace(path: string): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    // Some file systems (network, container) report no sizes.
    return blocks > 0 ? { freeBytes: bavail * bsize, sizeBytes: blocks * bsize } : null;
  } catch {
    return null;
  }
}

/** Creates the monitor; a test passes a `measure` that hangs. */
export function createDiskMonitor(dataDir: string, log: Log, measure = readSpace): DiskMonitor {
  const paths = [dataDir, join(dataDir, 'postgres')];
  let state: DiskState = { low: false, freeBytes: null, sizeBytes: null };
  let isChecking = false;
  let timer: NodeJS.Timeout | undefined;

  const check = async (): Promise<void> => {
    if (isChecking) {
      if (state.freeBytes !== null) log.warn({ dataDir }, 'the disk does not answer');
      state = { ...state, freeBytes: null, sizeBytes: null };
      return;
    }
    isChecking = true;
    const spaces = (await Promise.all(paths.map(measure))).filter((space) => space !== null);
    isChecking = false;
    const [least = null] = spaces.toSorted((a, b) => a.freeBytes - b.freeBytes);
    const wasLow = state.low;
    state = {
      low: spaces.some(isLow),
      freeBytes: least?.freeBytes ?? null,
      sizeBytes: least?.sizeBytes ?? null,
    };
    if (state.low === wasLow) return;
    if (state.low) log.error({ ...state, dataDir }, 'the disk is nearly full: free some space');
    else log.warn({ ...state, dataDir }, 'the disk has room again');
  };

  return {
    state: () => state,
    start: async () => {
      timer = setInterval(() => void check(), checkEveryMs).unref();
      await Promise.race([check(), sleep(firstCheckWithinMs, undefined, { ref: false })]);
    },
    stop: () => clearInterval(timer),
  };
}
