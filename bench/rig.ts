/** What a measurement runs on: a PostgreSQL, a folder for a server's files, and processes. All end with it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill, start } from './children.ts';
import { type Cluster, withCluster } from './cluster.ts';

export interface Processes {
  readonly dataDir: string;
  /** Starts a module of this folder as a process. */
  begin(file: string): ChildProcess;
}
export interface Rig extends Processes {
  readonly cluster: Cluster;
}

/** Runs `work` with a new folder, which ends with it. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const withProcesses = <Result>(work: (processes: Processes) => Promise<Result>): Promise<Result> =>
  withFolder(async (dataDir) => {
    const children: ChildProcess[] = [];
    const begin = (file: string): ChildProcess => {
      const child = start(file);
      children.push(child);
      return child;
    };
    try {
      return await work({ dataDir, begin });
    } finally {
      // Before the folder that they write into.
      await Promise.all(children.map(kill));
    }
  });

export const withRig = <Result>(work: (rig: Rig) => Promise<Result>): Promise<Result> =>
  withCluster((cluster) => withProcesses((processes) => work({ cluster, ...processes })));
