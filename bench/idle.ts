/**
 * `npm run bench -- idle`: the cost of an idle server: 177 simulated symbols, no listener, no position. Processor
 * time of the server and of its PostgreSQL as shares of a core, before the background begins to store days and while it
 * does. Linux only (/proc). Bounded: two minutes, loopback only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { loadAverage, machine } from './figures.ts';
import { embeddedCostOf, postmasterOf } from './process-stat.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const limitPercent = 1.5;
const startSMax = 30;
/** In seconds from the first answer. The background begins a minute after the feed does (`day-fill.ts`). */
const windows = [
  { name: 'nothing in the background', from: 20, to: 55 },
  { name: 'while the background keeps days', from: 65, to: 110 },
] as const;

async function answers(port: number): Promise<boolean> {
  try {
    const { ok, body } = await fetch(`http://127.0.0.1:${port}/health`);
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

export async function benchIdle(): Promise<void> {
  console.log(machine);
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-idle-'));
  const port = await freePort();
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PRICE_FEED: 'simulated',
    },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  try {
    const deadline = performance.now() + startSMax * 1000;
    while (!(await answers(port))) {
      if (server.exitCode !== null || performance.now() > deadline)
        throw new Error('the server does not serve');
      await sleep(100);
    }
    const servesSince = performance.now();
    const until = (second: number) => sleep(servesSince + second * 1000 - performance.now());
    const pid = server.pid ?? -1;
    const postmaster = postmasterOf(dataDir);
    for (const { name, from, to } of windows) {
      await until(from);
      const [before, startedAt] = [embeddedCostOf(pid, postmaster), performance.now()];
      await until(to);
      const [after, seconds] = [embeddedCostOf(pid, postmaster), (performance.now() - startedAt) / 1000];
      const share = (after.serverS - before.serverS) / seconds;
      const verdict = 100 * share <= limitPercent ? 'met' : 'MISSED';
      console.log(
        `${name}: server ${percent(share)} of a core, limit ${limitPercent} %: ${verdict}; PostgreSQL ${percent((after.postgresS - before.postgresS) / seconds)}; ${loadAverage()}`,
      );
    }
  } finally {
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}
