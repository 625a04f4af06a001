/** The product as `npm start` runs it: a process with an embedded PostgreSQL of its own. Costs by Linux (`/proc`). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { embeddedCostOf, postmasterOf, proportionalMemoryOf } from './process-stat.ts';
import { withFolder } from './rig.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));
const startSMax = 30;
const askEveryMs = 100;

/** Whether a server answers that it is healthy. */
export async function isHealthy(port: number): Promise<boolean> {
  try {
    const { ok, body } = await fetch(`http://127.0.0.1:${port}/health`);
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

export interface InstalledServer {
  readonly url: string;
  /** Runs `work`; resolves with its result, and what server and PostgreSQL took meanwhile, in cores. */
  costOf<T>(work: () => Promise<T>): Promise<Cost & { readonly result: T }>;
  memory(): ReturnType<typeof proportionalMemoryOf>;
}
interface Cost {
  readonly seconds: number;
  readonly serverCores: number;
  readonly postgresCores: number;
}

/** Runs `work` with a server of these settings, which ends with it. @throws Error when the server does not serve */
export const withInstalledServer = <T>(
  settings: Readonly<Record<string, string>>,
  work: (server: InstalledServer) => Promise<T>,
): Promise<T> =>
  withFolder(async (dataDir) => {
    const port = await freePort();
    const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
      cwd: root,
      env: {
        ...{ ...process.env, ...settings, PORT: String(port), DATA_DIR: dataDir },
        ...{ LOG_LEVEL: 'error', PRICE_FEED: 'simulated' },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const deadline = performance.now() + startSMax * 1000;
      while (!(await isHealthy(port))) {
        if (server.exitCode !== null || performance.now() > deadline)
          throw new Error('the server does not serve');
        await sleep(askEveryMs);
      }
      const pid = server.pid ?? -1;
      const postmaster = postmasterOf(dataDir);
      return await work({
        url: `http://127.0.0.1:${port}`,
        async costOf(measured) {
          const [before, startedAt] = [embeddedCostOf(pid, postmaster), performance.now()];
          const result = await measured();
          const [after, seconds] = [embeddedCostOf(pid, postmaster), (performance.now() - startedAt) / 1000];
          return {
            ...{ result, seconds, serverCores: (after.serverS - before.serverS) / seconds },
            postgresCores: (after.postgresS - before.postgresS) / seconds,
          };
        },
        memory: () => proportionalMemoryOf(pid, postmaster),
      });
    } finally {
      if (server.exitCode === null && server.signalCode === null) server.kill('SIGTERM');
      await ended;
    }
  });
