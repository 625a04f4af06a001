/** Processor time and memory of a process by Linux (`/proc`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux counts processor time in hundredths of a second, whatever its clock. */
const ticksPerS = 100;

export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  /** Of itself and of its children that have ended. */
  readonly cpuS: number;
}

/** Null when there is no such process any more. */
export function statOf(pid: number | string): ProcessStat | null {
  try {
    // proc(5): the name, in brackets, may hold spaces; then state, ppid, pgrp, …, utime, stime, cutime, cstime.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), group: Number(fields[2]), cpuS: ticks / ticksPerS };
  } catch {
    // It has ended since it was listed.
    return null;
  }
}

const processIds = (): string[] => readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));

/** Of all processes that run. */
export const allStats = (): ProcessStat[] => processIds().flatMap((pid) => statOf(pid) ?? []);

/** The main process of an embedded PostgreSQL, from the first line of its pid file. */
export const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Processor time so far of a server and of its embedded PostgreSQL, in seconds. */
export interface EmbeddedCost {
  readonly serverS: number;
  readonly postgresS: number;
}

export function embeddedCostOf(server: number, postmaster: number): EmbeddedCost {
  const postgresS = allStats().reduce((sum, { parent, cpuS }) => sum + (parent === postmaster ? cpuS : 0), 0);
  return {
    serverS: statOf(server)?.cpuS ?? Number.NaN,
    postgresS: postgresS + (statOf(postmaster)?.cpuS ?? Number.NaN),
  };
}

/** Proportional set size: memory that processes share counts once among them. Zero for a process that has ended. */
function memoryOf(pid: number | string): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Memory of a server and of its embedded PostgreSQL, shared buffers included, in bytes. */
export function proportionalMemoryOf(server: number, postmaster: number) {
  const children = processIds().filter((pid) => statOf(pid)?.parent === postmaster);
  return {
    serverBytes: memoryOf(server),
    postgresBytes: [postmaster, ...children].reduce<number>((sum, pid) => sum + memoryOf(pid), 0),
  };
}
