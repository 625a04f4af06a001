/**
 * Cleans up what a killed predecessor left on a cluster: an orphaned postmaster, backends without one, a lock of a dead or
 * foreign process. Invariants: no cluster is touched before its processes have ended; only PostgreSQL processes with that
 * cluster as working directory are ended. Only the owner of the data directory may call it.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { findPostgresPids, runningProcess, waitForEnd, waitUntil } from './processes.ts';

export const backendsExitWithinMs = 2000;

/**
 * Stops an orphan and removes a lock that PostgreSQL would mistake for a live one. The pid in it may be a zombie or, after
 * a container's restart, belong to another program.
 */
export async function cleanUpStaleCluster(cluster: string, log: Log): Promise<void> {
  const lock = join(cluster, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = readLockPid(lock);
  if (isPostmaster(pid, cluster)) {
    log.warn({ pid }, 'stopping the PostgreSQL that a killed server left behind');
    await stopPostmaster(pid);
  }
  await endProcessesIn(cluster, backendsExitWithinMs);
  rmSync(lock, { force: true });
}

export const readLockPid = (lock: string) => Number(readFileSync(lock, 'utf8').split('\n')[0]);

export function isPostmaster(pid: number, cluster: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  const command = runningProcess(pid)?.command ?? '';
  return command.includes('postgres') && command.includes(cluster);
}

/**
 * Waits for the processes in the cluster and ends them after `patienceMs`: backends without a postmaster end by themselves,
 * but only after their current statement. Throws a StartError when one survives: the cluster must not be started while it
 * lives.
 */
export async function endProcessesIn(cluster: string, patienceMs: number): Promise<void> {
  const areGone = () => findPostgresPids(cluster).length === 0;
  if (await waitUntil(areGone, patienceMs)) return;
  for (const [signal, timeoutMs] of [
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    for (const pid of findPostgresPids(cluster)) send(pid, signal);
    if (await waitUntil(areGone, timeoutMs)) return;
  }
  throw new StartError(`processes of a killed PostgreSQL still use ${cluster}; end them and try again`);
}

/**
 * Stops the postmaster: fast shutdown (SIGINT: transactions roll back, a checkpoint is written), else immediate (SIGQUIT:
 * recovery at the next start). If both fail, `endProcessesIn` handles the rest. None of them loses a committed transaction.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!send(pid, signal)) return;
    if (await waitForEnd(pid, timeoutMs)) return;
  }
  throw new StartError(`PostgreSQL (process ${pid}) does not stop; end it and try again`);
}

/** False when the process is gone. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
