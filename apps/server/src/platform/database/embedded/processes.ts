/**
 * What the operating system knows about a process: whether it exists, since when, and what it runs. A pid alone proves
 * nothing: pids are reused (at once, in a restarted container) and a killed process may linger as a zombie.
 *
 * Known limitation: outside Linux there is no `/proc`; the module uses `ps`, and `findPostgresPids` finds nothing.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface RunningProcess {
  /** Differs between two processes with the same pid; only for comparison. */
  readonly startedAt: string;
  /** The command line, arguments joined by spaces. */
  readonly command: string;
}

/** The running process with this pid; null when there is none or only its zombie is left. */
export function runningProcess(pid: number): RunningProcess | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the second field is the name in parentheses and may hold spaces; state is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startedAt] = [fields[0], fields[19]];
    if (state === undefined || startedAt === undefined || state === 'Z' || state === 'X') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { startedAt, command };
  } catch {
    // Gone, or gone between the two reads.
    return null;
  }
}

function fromPs(pid: number): RunningProcess | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = 'Z', ...fields] = line.split(/\s+/);
    if (state.startsWith('Z')) return null;
    return { startedAt: fields.slice(0, 5).join(' '), command: fields.slice(5).join(' ') };
  } catch {
    // ps exits with 1 when there is no such process.
    return null;
  }
}

/** Pids of PostgreSQL programs whose working directory is `dir`: initdb, postmaster and backends. */
export function findPostgresPids(dir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== dir) return false;
        // An operator's shell may have this working directory as well. A program that was replaced since carries '
        // (deleted)'.
        return /^(postgres|initdb)\b/.test(basename(readlinkSync(`/proc/${pid}/exe`)));
      } catch {
        // Ended meanwhile, a zombie, or another user's process: none of them counts.
        return false;
      }
    });
}

/** Waits until `condition` holds, polling every 20 ms; false after `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** True once the process has ended; a zombie has. */
export const waitForEnd = (pid: number, timeoutMs: number) =>
  waitUntil(() => runningProcess(pid) === null, timeoutMs);
