/**
 * `npm run bench -- orders`: opened positions per second through the whole path (HTTP, token, validation, decision,
 * commit) beside the same rows written the usual ways, in one run on one machine, each on fresh tables of the same
 * durable PostgreSQL. Bounded: about a minute and a half, at most 256 connections, loopback only.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, start } from './children.ts';
import { startCluster } from './cluster.ts';
import { best, heading, type Run, row, runOf } from './figures.ts';
import type { LoadJob, LoadReport } from './load.ts';
import { measurePeer, peers } from './peers.ts';
import type { ServerJob, ServerReady, ServerReport } from './server.ts';
import type { Measure } from './traders.ts';

const measure: Measure = { traders: 1000, warmUpS: 1, seconds: 4 };
const peerConcurrencies = [1, 8, 16];
const connectionCounts = [16, 64, 256];
const steady = { perSecond: 200, connections: 32 };
/** The aim of the whole path against the fastest plpgsql figure. */
const aimRatio = 1.5;
const aimSteadyP99Ms = 30;

interface Loaded {
  readonly run: Run;
  readonly clientCores: number;
}

async function load(name: string, job: LoadJob): Promise<Loaded> {
  const child = start('./load.ts');
  child.send(job);
  const { latenciesMs, statuses, firstFailure, cpuS } = await messageOf<LoadReport>(child);
  if (firstFailure !== null)
    throw new Error(`${JSON.stringify(statuses)}; the first failure:\n${firstFailure}`);
  return {
    run: runOf(name, job.connections, latenciesMs, job.seconds),
    clientCores: cpuS / (job.warmUpS + job.seconds),
  };
}

/** The product on one fresh database, at each number of connections, then at a steady 200 orders/s. */
async function measureProduct(databaseUrl: string): Promise<{ runs: Run[]; steadily: Run }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  const server = start('./server.ts');
  try {
    server.send({ databaseUrl, dataDir, traders: measure.traders } satisfies ServerJob);
    const { url, anonKey, tokens } = await messageOf<ServerReady>(server);
    const job = { url, anonKey, tokens, warmUpS: measure.warmUpS, seconds: measure.seconds };
    const report = async (): Promise<ServerReport> => {
      server.send('report');
      return messageOf<ServerReport>(server);
    };
    const runs: Run[] = [];
    for (const connections of connectionCounts) {
      const before = await report();
      const { run, clientCores } = await load('Fulcrum, whole path', {
        ...job,
        connections,
        perSecond: null,
      });
      const after = await report();
      const batch = (after.commands - before.commands) / (after.batches - before.batches);
      const serverCores = (after.cpuS - before.cpuS) / (measure.warmUpS + measure.seconds);
      console.log(
        `${row(run)}   ${batch.toFixed(0)} orders a commit; cores: server ${serverCores.toFixed(2)}, client ${clientCores.toFixed(2)}`,
      );
      runs.push(run);
    }
    const { run: steadily } = await load(`Fulcrum, whole path, ${steady.perSecond} orders/s`, {
      ...job,
      ...steady,
    });
    console.log(row(steadily));
    const { violations, positions, commands } = await report();
    if (violations.length > 0 || positions !== commands) {
      throw new Error(
        `the books after the run: ${positions} positions of ${commands} orders; ${violations.join('; ')}`,
      );
    }
    console.log(`  the books after ${positions} orders: every invariant holds`);
    const exited = once(server, 'exit');
    server.send('stop');
    await exited;
    return { runs, steadily };
  } finally {
    server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function benchOrders(): Promise<void> {
  const cluster = await startCluster();
  try {
    console.log(
      `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}, PostgreSQL ${cluster.version}, synchronous_commit=on`,
    );
    console.log(
      `${measure.traders} traders, ${measure.seconds} s each after ${measure.warmUpS} s of warm-up, fresh tables\n`,
    );
    console.log(heading());
    const ofPeers = new Map<string, Run>();
    for (const name of Object.keys(peers) as (keyof typeof peers)[]) {
      const runs: Run[] = [];
      for (const concurrency of peerConcurrencies) {
        const database = `peer_${ofPeers.size}_${concurrency}`;
        const run = await measurePeer(name, concurrency, await cluster.createDatabase(database), measure);
        await cluster.dropDatabase(database);
        console.log(row(run));
        runs.push(run);
      }
      ofPeers.set(name, best(runs));
    }
    const { runs, steadily } = await measureProduct(await cluster.createDatabase('product'));
    const own = best(runs);

    console.log('');
    for (const [name, peer] of ofPeers) {
      console.log(
        `${(own.perSecond / peer.perSecond).toFixed(2)} x ${name} at its best (${peer.perSecond.toFixed(0)}/s)`,
      );
    }
    const ratio = own.perSecond / (ofPeers.get('one plpgsql call per order')?.perSecond ?? Number.NaN);
    const verdict = (met: boolean) => (met ? 'met' : 'MISSED');
    console.log(`aim: at least ${aimRatio} x one plpgsql call per order: ${verdict(ratio >= aimRatio)}`);
    console.log(
      `aim: p99 below ${aimSteadyP99Ms} ms at ${steady.perSecond} orders/s: ${verdict(steadily.p99Ms < aimSteadyP99Ms)}`,
    );
  } finally {
    await cluster.stop();
  }
}
