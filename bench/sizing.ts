/**
 * `npm run bench -- sizing`: what a server needs for 50, 400 and 2,000 users who have the trading page open at once and trade,
 * for the table of docs/operations.md. The product with its embedded PostgreSQL as `npm start` runs it; the users are a process
 * of their own, whose cost is not counted. Linux only (/proc). Bounded: about six minutes, loopback only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { ask, start } from './children.ts';
import { machine, runOf } from './figures.ts';
import { embeddedCostOf, postmasterOf, proportionalMemoryOf } from './process-stat.ts';
import type { Arrived, TradeReport, UsersCommand } from './sizing-users.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const populations = [50, 400, 2000] as const;
/** Each user trades once a minute, which is busy for a person. */
const ordersPerUserS = 1 / 60;
const settleS = 5;
const seconds = 45;
const startSMax = 30;
/** The users of the bench share one address. */
const limits = {
  SIGNUPS_PER_ADDRESS_H: '100000',
  SIGN_INS_WAITING_PER_ADDRESS: '100000',
  REQUESTS_PER_ADDRESS_S: '100000',
  SOCKETS_PER_ADDRESS: '100000',
};

async function anonKeyOf(url: string, server: ChildProcess): Promise<string> {
  const deadline = performance.now() + startSMax * 1000;
  for (;;) {
    try {
      return ((await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }).anonKey;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

async function measure(population: number): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-sizing-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...limits,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PRICE_FEED: 'simulated',
      DEMO: 'false',
      SIGNUP_BALANCE: '10000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  const users = start('./sizing-users.ts');
  try {
    const anonKey = await anonKeyOf(url, server);
    const { signUpS, signInS } = await ask<Arrived>(users, {
      kind: 'arrive',
      url,
      anonKey,
      users: population,
    } satisfies UsersCommand);
    await sleep(settleS * 1000);
    const pid = server.pid ?? -1;
    const postmaster = postmasterOf(dataDir);
    const [before, startedAt] = [embeddedCostOf(pid, postmaster), performance.now()];
    const { latenciesMs, firstFailure, frames } = await ask<TradeReport>(users, {
      kind: 'trade',
      seconds,
      ordersPerSecond: population * ordersPerUserS,
    } satisfies UsersCommand);
    if (firstFailure !== null) throw new Error(`an order failed: ${firstFailure}`);
    const [after, elapsedS] = [embeddedCostOf(pid, postmaster), (performance.now() - startedAt) / 1000];
    const { p50Ms, p99Ms } = runOf('orders', population, latenciesMs, elapsedS);
    const memory = proportionalMemoryOf(pid, postmaster);
    const cells = [
      String(population),
      `${signUpS.toFixed(0)} s, ${signInS.toFixed(0)} s`,
      ((after.serverS - before.serverS) / elapsedS).toFixed(3),
      ((after.postgresS - before.postgresS) / elapsedS).toFixed(3),
      `${(memory.serverBytes / 1e6).toFixed(0)} MB`,
      `${(memory.postgresBytes / 1e6).toFixed(0)} MB`,
      `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} ms`,
      (frames / elapsedS).toFixed(0),
      (loadavg()[0] ?? 0).toFixed(1),
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    users.kill();
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function benchSizing(): Promise<void> {
  console.log(`${machine}\n`);
  console.log(
    '| users | all sign up; sign in | server, cores | PostgreSQL, cores | server | PostgreSQL | order p50, p99 | frames/s | load |\n' +
      '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  );
  for (const population of populations) console.log(await measure(population));
}
