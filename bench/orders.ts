/**
 * `npm run bench -- orders`: opened positions per second through the whole path (HTTP, token, validation, decision,
 * commit), one per request and a hundred per request, beside the same rows written the usual ways, in one run on one
 * machine, each on tables of its own in the same durable PostgreSQL; then all of it again above a ledger of a million
 * rows. Bounded: about five minutes, at most 256 connections, loopback only.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { messageOf, start } from './children.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { best, heading, type Run, row, runOf } from './figures.ts';
import type { LoadJob, LoadReport } from './load.ts';
import { measurePeer, type PeerName, peers } from './peers.ts';
import type { ServerBooks, ServerCommand, ServerCost, ServerJob, ServerReady } from './server.ts';
import { addHistory, addTraders, type Measure } from './traders.ts';

const measure: Measure = { traders: 1000, warmUpS: 1, seconds: 4 };
const peerConcurrencies = [1, 8, 16];
const connectionCounts = [16, 64, 256];
const steady = { perSecond: 200, connections: 32 };
/** As many rows as one insert may have. */
const rowsPerInsert = 100;
const insertConnections = [4, 8, 16];
const pastLedgerRows = 1_000_000;
/** The aims of the whole path against plpgsql at its best concurrency. */
const aimRatio = { single: 1.5, array: 2.5 };
const aimSteadyP99Ms = 30;

const perOrder: PeerName = 'one plpgsql call per order';
const perOrderWithRow: PeerName = 'one plpgsql call per order with its row';

type Job = Pick<LoadJob, 'connections' | 'perSecond' | 'rowsPerInsert'>;

/** The product on one database, until it is stopped. */
class Product {
  readonly #server = start('./server.ts');
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  #ready: ServerReady | undefined;
  #orders = 0;

  async start(databaseUrl: string): Promise<void> {
    const job: ServerJob = { databaseUrl, dataDir: this.#dataDir, traders: measure.traders };
    this.#server.send(job);
    this.#ready = await messageOf<ServerReady>(this.#server);
  }

  async #ask<Answer>(command: ServerCommand): Promise<Answer> {
    this.#server.send(command);
    return messageOf<Answer>(this.#server);
  }

  /** Orders per second under that load, printed. @throws Error when one was not accepted. */
  async load(name: string, job: Job): Promise<Run> {
    if (!this.#ready) throw new Error('the product has not started');
    const { url, anonKey, tokens } = this.#ready;
    const before = await this.#ask<ServerCost>('cost');
    const child = start('./load.ts');
    const { warmUpS, seconds } = measure;
    child.send({ url, anonKey, tokens, warmUpS, seconds, ...job } satisfies LoadJob);
    const { latenciesMs, statuses, firstFailure, cpuS } = await messageOf<LoadReport>(child);
    if (firstFailure !== null) {
      throw new Error(`${JSON.stringify(statuses)}; the first failure:\n${firstFailure}`);
    }
    const after = await this.#ask<ServerCost>('cost');
    const requests = runOf(name, job.connections, latenciesMs, seconds);
    const rows = job.rowsPerInsert ?? 1;
    const run = { ...requests, perSecond: requests.perSecond * rows };
    this.#orders += Object.values(statuses).reduce((sum, count) => sum + count, 0) * rows;
    const batch = (after.commands - before.commands) / (after.batches - before.batches);
    const cores = (after.cpuS - before.cpuS) / (warmUpS + seconds);
    console.log(
      `${row(run)}   ${batch.toFixed(0)} orders a commit; cores: server ${cores.toFixed(2)}, client ${(cpuS / (warmUpS + seconds)).toFixed(2)}`,
    );
    return run;
  }

  /** @throws Error when the books are not whole, or an accepted order is not there. */
  async proveBooks(): Promise<void> {
    const { violations, positions, rejected, ledgerRows } = await this.#ask<ServerBooks>('books');
    if (violations.length > 0 || rejected > 0 || positions !== this.#orders) {
      throw new Error(
        `the books after the run: ${positions} positions of ${this.#orders} orders, ${rejected} rejected; ${violations.join('; ')}`,
      );
    }
    console.log(
      `  after ${positions} orders, with ${ledgerRows} ledger rows in all: every invariant holds\n`,
    );
  }

  async stop(): Promise<void> {
    if (this.#server.connected) {
      const exited = once(this.#server, 'exit');
      this.#server.send('stop' satisfies ServerCommand);
      await exited;
    }
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  kill(): void {
    this.#server.kill();
  }
}

async function withProduct<T>(databaseUrl: string, work: (product: Product) => Promise<T>): Promise<T> {
  const product = new Product();
  try {
    await product.start(databaseUrl);
    const result = await work(product);
    await product.proveBooks();
    await product.stop();
    return result;
  } finally {
    product.kill();
  }
}

/** A peer's best over the concurrencies, each on a database of its own. */
async function bestOfPeer(
  cluster: Cluster,
  name: PeerName,
  concurrencies: readonly number[],
  from?: string,
): Promise<Run> {
  const runs: Run[] = [];
  for (const concurrency of concurrencies) {
    const database = `peer_${concurrency}`;
    const databaseUrl = await cluster.createDatabase(database, from);
    const run = await measurePeer(name, concurrency, databaseUrl, measure);
    await cluster.dropDatabase(database);
    console.log(row(run));
    runs.push(run);
  }
  return best(runs);
}

const singles = (connections: number): Job => ({ connections, perSecond: null, rowsPerInsert: null });
const arrays = (connections: number): Job => ({ connections, perSecond: null, rowsPerInsert });
const singleName = 'Fulcrum, one order per request';
const arrayName = `Fulcrum, ${rowsPerInsert} orders per request`;

interface Outcome {
  readonly single: Run;
  readonly array: Run;
}

async function measureProduct(databaseUrl: string): Promise<Outcome & { readonly steadily: Run }> {
  return withProduct(databaseUrl, async (product) => {
    const single: Run[] = [];
    for (const connections of connectionCounts) {
      single.push(await product.load(singleName, singles(connections)));
    }
    const array: Run[] = [];
    for (const connections of insertConnections) {
      array.push(await product.load(arrayName, arrays(connections)));
    }
    const steadily = await product.load(`Fulcrum, ${steady.perSecond} orders/s, one per request`, {
      ...steady,
      rowsPerInsert: null,
    });
    return { single: best(single), array: best(array), steadily };
  });
}

/** A database that traded before, to be copied. */
async function makePast(cluster: Cluster, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: await cluster.createDatabase(name) });
  await client.connect();
  try {
    await addTraders(client, measure.traders);
    await addHistory(client, pastLedgerRows);
  } finally {
    await client.end();
  }
}

const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');
const change = (from: Run, to: Run): string => {
  const percent = (to.perSecond / from.perSecond - 1) * 100;
  return `${from.perSecond.toFixed(0)} -> ${to.perSecond.toFixed(0)}/s (${percent > 0 ? '+' : ''}${percent.toFixed(0)} %)`;
};

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
    const ofPeer = new Map<PeerName, Run>();
    for (const name of Object.keys(peers) as PeerName[]) {
      ofPeer.set(name, await bestOfPeer(cluster, name, peerConcurrencies));
    }
    const { single, array, steadily } = await measureProduct(await cluster.createDatabase('product'));
    await cluster.dropDatabase('product');
    for (const [name, peer] of ofPeer) {
      const times = (own: Run): string => (own.perSecond / peer.perSecond).toFixed(2);
      console.log(
        `single ${times(single)} x, arrays ${times(array)} x ${name} at its best (${peer.perSecond.toFixed(0)}/s)`,
      );
    }
    const ratioTo = (own: Run, peer: PeerName): number =>
      own.perSecond / (ofPeer.get(peer)?.perSecond ?? Number.NaN);
    const [singleRatio, arrayRatio] = [ratioTo(single, perOrder), ratioTo(array, perOrderWithRow)];
    console.log(
      `aim: single requests at least ${aimRatio.single} x ${perOrder}: ${verdict(singleRatio >= aimRatio.single)}`,
    );
    console.log(
      `aim: arrays at least ${aimRatio.array} x ${perOrderWithRow}: ${verdict(arrayRatio >= aimRatio.array)}`,
    );
    console.log(
      `aim: p99 below ${aimSteadyP99Ms} ms at ${steady.perSecond} orders/s: ${verdict(steadily.p99Ms < aimSteadyP99Ms)}\n`,
    );

    await makePast(cluster, 'past');
    console.log(
      `above ${pastLedgerRows} ledger rows, ${pastLedgerRows / 4} closed positions and as many stored answers`,
    );
    const pastPeers = new Map<PeerName, Run>();
    for (const name of [perOrder, perOrderWithRow]) {
      const { concurrency } = ofPeer.get(name) ?? best([]);
      pastPeers.set(name, await bestOfPeer(cluster, name, [concurrency], 'past'));
    }
    const past: Outcome = await withProduct(
      await cluster.createDatabase('aged', 'past'),
      async (product) => ({
        single: await product.load(singleName, singles(single.concurrency)),
        array: await product.load(arrayName, arrays(array.concurrency)),
      }),
    );
    for (const [name, peer] of pastPeers) console.log(`${name}: ${change(ofPeer.get(name) ?? peer, peer)}`);
    console.log(`${singleName}: ${change(single, past.single)}`);
    console.log(`${arrayName}: ${change(array, past.array)}`);
  } finally {
    await cluster.stop();
  }
}
