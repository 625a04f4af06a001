/**
 * `npm run bench -- cluster`: opened positions per second of one process, and of a whole cluster on the same machine (a market, two engines,
 * three gateways, NATS), by turns in one run, each on a database of its own; then how long orders wait when an engine is killed. So the
 * figure is what the messages, the mirrors and the further processes cost, not what further machines bring. Then the fan-out of one
 * symbol over three gateways beside one. Needs Debian's nats-server (fetched, or NATS_SERVER). Bounded: about five minutes, 258
 * connections, then 12,000 sockets, loopback only.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianParts } from '../apps/server/test/debian-parts.ts';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { ask, runJob, stop } from './children.ts';
import type { Cluster } from './cluster.ts';
import type { ServerReady } from './endpoint.ts';
import { heading, median, type Run, row, runOf, verdict } from './figures.ts';
import { compareGateways } from './gateways.ts';
import { dataDirs } from './installation.ts';
import type { LoadJob, LoadReport } from './load.ts';
import { measure } from './product.ts';
import { type Processes, withRig } from './rig.ts';
import type { ServerCheck, ServerCommand, ServerCost, ServerJob } from './server.ts';

const rounds = 5;
const compiledAfterS = 20;
/** As many as `orders` has where one process is at its best. */
const connections = 258;
const aimRatio = 0.8;
const kills = 3;
const settledWithinMs = 30_000;
const roles = ['market', 'engine', 'engine', 'gateway', 'gateway', 'gateway'] as const;

interface Process {
  readonly child: ChildProcess;
  readonly ready: ServerReady;
}

/** Servers that are measured as one: orders go to `gateways`. */
interface Contender {
  readonly name: string;
  readonly all: readonly Process[];
  readonly gateways: readonly Process[];
}

/** @param warmUpS without a figure */
async function load(
  { name, all, gateways }: Contender,
  warmUpS: number = measure.warmUpS,
): Promise<Run & { readonly cpuMsOfOrder: number }> {
  const costOf = async (): Promise<number> => {
    let sum = 0;
    for (const process of all)
      sum += (await ask<ServerCost>(process.child, 'cost' satisfies ServerCommand)).cpuS;
    return sum;
  };
  const before = await costOf();
  const { seconds } = measure;
  const reports = await Promise.all(
    gateways.map(async ({ ready: { url, anonKey, tokens } }) => {
      const share = connections / gateways.length;
      return runJob<LoadReport>('./load.ts', {
        ...{ url, anonKey, tokens, connections: share },
        ...{ warmUpS, seconds, perSecond: null, rowsPerInsert: null },
      } satisfies LoadJob);
    }),
  );
  for (const { firstFailure } of reports) if (firstFailure !== null) throw new Error(firstFailure);
  const latenciesMs = reports.flatMap((report) => report.latenciesMs);
  const orders = reports
    .flatMap(({ statuses }) => Object.values(statuses))
    .reduce((sum, count) => sum + count, 0);
  const run = runOf(name, connections, latenciesMs, seconds);
  const cpuMsOfOrder = ((await costOf()) - before) / (orders / 1_000);
  console.log(`${row(run)}   ${cpuMsOfOrder.toFixed(2)} ms of processor time an order`);
  return { ...run, cpuMsOfOrder };
}

async function verify({ all: [first] }: Contender): Promise<void> {
  if (!first) return;
  const { violations, positions, rejected } = await ask<ServerCheck>(
    first.child,
    'check' satisfies ServerCommand,
  );
  if (violations.length > 0 || rejected > 0) throw new Error(violations.join('; '));
  console.log(`  after ${positions} orders every invariant holds`);
}

/** An order, sent again with its id until it is answered; returns for how long that took, in ms. */
async function orderUntilDone({ ready: { url, anonKey, tokens } }: Process, trader: number): Promise<number> {
  const begun = performance.now();
  const body = JSON.stringify({
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.001, p_leverage: 10, p_client_id: randomUUID() },
  });
  const headers = {
    ...{ apikey: anonKey, authorization: `Bearer ${tokens[trader]}`, 'content-type': 'application/json' },
  };
  while (performance.now() - begun < settledWithinMs) {
    const { ok } = await fetch(`${url}/rest/v1/rpc/open_position`, { method: 'POST', headers, body });
    if (ok) return performance.now() - begun;
    await sleep(20);
  }
  throw new Error('an order is not answered');
}

/** Kills an engine under a few orders at a time, and starts another one: the longest wait of an order. */
async function measureTakeovers(cluster: Contender, startEngine: () => Promise<Process>): Promise<void> {
  const [endpoint] = cluster.gateways;
  const engines = cluster.all.slice(1, 3);
  for (let n = 0; n < kills; n += 1) {
    const engine = engines.shift();
    if (!endpoint || !engine) return;
    setTimeout(() => engine.child.kill('SIGKILL'), 100);
    const until = performance.now() + 2_000;
    const waits = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        let longest = 0;
        for (let trader = i; performance.now() < until; trader += 8)
          longest = Math.max(longest, await orderUntilDone(endpoint, trader % measure.traders));
        return longest;
      }),
    );
    console.log(`an engine is killed: the longest wait of an order was ${Math.max(...waits).toFixed(0)} ms`);
    engines.push(await startEngine());
    // Until it has its share of the accounts.
    await sleep(5_000);
  }
  for (const engine of engines) await stop(engine.child);
}

async function measureAll(postgres: Cluster, natsServer: string, processes: Processes): Promise<void> {
  const port = await freePort();
  const nats = spawn(natsServer, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const started: Process[] = [];
  const newDataDir = dataDirs(join(processes.dataDir, 'orders'));
  const startOne = async (
    databaseUrl: string,
    member?: Readonly<Record<string, string>>,
  ): Promise<Process> => {
    const child = processes.begin('./server.ts');
    const ready = await ask<ServerReady>(child, {
      databaseUrl,
      dataDir: newDataDir(),
      traders: measure.traders,
      ...(member && { member }),
    } satisfies ServerJob);
    const process = { child, ready };
    started.push(process);
    return process;
  };
  try {
    const member = { NATS_URL: `nats://127.0.0.1:${port}`, SMTP_URL: 'smtp://127.0.0.1:1' };
    const alone = await startOne(await postgres.createDatabase('alone'));
    const databaseUrl = await postgres.createDatabase('members');
    const joinAs = (ROLES: string): Promise<Process> => startOne(databaseUrl, { ROLES, ...member });
    const all: Process[] = [];
    for (const role of roles) all.push(await joinAs(role));
    // Until both engines have their shares.
    await sleep(5_000);
    const one: Contender = { name: 'one process', all: [alone], gateways: [alone] };
    const cluster: Contender = {
      ...{ name: 'market, 2 engines, 3 gateways', all, gateways: all.slice(roles.indexOf('gateway')) },
    };
    console.log(heading());
    // Six processes share the orders, so their code is compiled six times as late.
    for (const contender of [one, cluster]) await load(contender, compiledAfterS);
    const ratios: number[] = [];
    const costs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [own, whole] = [await load(one), await load(cluster)];
      ratios.push(whole.perSecond / own.perSecond);
      costs.push(whole.cpuMsOfOrder / own.cpuMsOfOrder);
    }
    await verify(one);
    await verify(cluster);
    const ratio = median(ratios);
    console.log(
      `the cluster on this machine: ${ratio.toFixed(2)} of the orders of one process (${ratios.map((each) => each.toFixed(2)).join(', ')}), ${median(costs).toFixed(2)} times the processor time an order`,
    );
    console.log(`aim: at least ${aimRatio} of one process: ${verdict(ratio >= aimRatio)}\n`);
    await stop(alone.child);
    await measureTakeovers(cluster, () => joinAs('engine'));
    for (const { child } of started) child.kill('SIGKILL');
    await compareGateways(postgres, member, processes);
  } finally {
    nats.kill();
  }
}

export async function benchMembers(): Promise<void> {
  const parts = await debianParts(['nats-server']);
  const natsServer = process.env.NATS_SERVER ?? (parts && join(parts, 'usr/sbin/nats-server'));
  if (!natsServer) throw new Error('there is no nats-server: set NATS_SERVER to its path');
  await withRig(({ cluster, ...processes }) => measureAll(cluster, natsServer, processes));
}
