/** Processor time and memory of a process by Linux (`/proc`). */
import { readdirSync, readFileSync } from 'node:fs';

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

/** Of all processes that run. */
export const allStats = (): ProcessStat[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => statOf(pid) ?? []);
