/**
 * `npm run bench -- sizing`: what a server needs for 50, 400 and 2,000 users who have the trading page open at once and trade,
 * for the table of docs/operations.md. The product with its embedded PostgreSQL as `npm start` runs it; the users are a process
 * of their own, whose cost is not counted. Linux only (/proc). Bounded: about six minutes, loopback only.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './children.ts';
import { machine, runOf } from './figures.ts';
import { withInstalledServer } from './installed-server.ts';
import { withProcesses } from './rig.ts';
import type { Arrived, TradeReport, UsersCommand } from './sizing-users.ts';

const populations = [50, 400, 2000] as const;
/** Each user trades once a minute, which is busy for a person. */
const ordersPerUserS = 1 / 60;
const settleS = 5;
const seconds = 45;
/** The users of the bench share one address. */
const limits = {
  SIGNUPS_PER_ADDRESS_H: '100000',
  SIGN_INS_WAITING_PER_ADDRESS: '100000',
  REQUESTS_PER_ADDRESS_S: '100000',
  SOCKETS_PER_ADDRESS: '100000',
};

const measure = (population: number): Promise<string> =>
  withInstalledServer({ ...limits, DEMO: 'false', SIGNUP_BALANCE: '10000' }, (server) =>
    withProcesses(async ({ begin }) => {
      const { url } = server;
      const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
      const users = begin('./sizing-users.ts');
      const { signUpS, signInS } = await ask<Arrived>(users, {
        ...{ kind: 'arrive', url, anonKey, users: population },
      } satisfies UsersCommand);
      await sleep(settleS * 1000);
      const { result, ...cost } = await server.costOf(() =>
        ask<TradeReport>(users, {
          ...{ kind: 'trade', seconds, ordersPerSecond: population * ordersPerUserS },
        } satisfies UsersCommand),
      );
      const { latenciesMs, firstFailure, frames } = result;
      if (firstFailure !== null) throw new Error(`an order failed: ${firstFailure}`);
      const { p50Ms, p99Ms } = runOf('orders', population, latenciesMs, cost.seconds);
      const memory = server.memory();
      const cells = [
        String(population),
        `${signUpS.toFixed(0)} s, ${signInS.toFixed(0)} s`,
        cost.serverCores.toFixed(3),
        cost.postgresCores.toFixed(3),
        `${(memory.serverBytes / 1e6).toFixed(0)} MB`,
        `${(memory.postgresBytes / 1e6).toFixed(0)} MB`,
        `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} ms`,
        (frames / cost.seconds).toFixed(0),
        (loadavg()[0] ?? 0).toFixed(1),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );

export async function benchSizing(): Promise<void> {
  console.log(`${machine}\n`);
  console.log(
    '| users | all sign up; sign in | server, cores | PostgreSQL, cores | server | PostgreSQL | order p50, p99 | frames/s | load |\n' +
      '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  );
  for (const population of populations) console.log(await measure(population));
}
