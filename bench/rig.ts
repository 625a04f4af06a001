/** What a measurement runs on: a PostgreSQL, a folder for a server's files, and processes. All end with it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './children.ts';
import { type Cluster, startCluster } from './cluster.ts';

export interface Rig {
  readonly cluster: Cluster;
  readonly dataDir: string;
  /** Starts a module of this folder as a process. */
  begin(file: string): ChildProcess;
}

export async function withRig<Result>(work: (rig: Rig) => Promise<Result>): Promise<Result> {
  const cluster = await startCluster();
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  const children: ChildProcess[] = [];
  const begin = (file: string): ChildProcess => {
    const child = start(file);
    children.push(child);
    return child;
  };
  try {
    return await work({ cluster, dataDir, begin });
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
