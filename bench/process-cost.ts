/** The commands to a measured server of `fanout.ts`, and its cost so far. */
export type FanoutCommand = 'send' | 'pause' | 'report' | 'stop';

export interface CpuReport {
  /** User and system time of the process since its start, in seconds. */
  readonly cpuS: number;
}

/** Since `before`, else since the start of the process. */
export function cpuReport(before?: NodeJS.CpuUsage): CpuReport {
  const { user, system } = process.cpuUsage(before);
  return { cpuS: (user + system) / 1e6 };
}
