/**
 * `npm run bench -- orders`: opened positions per second through the whole path (HTTP, token, validation, decision,
 * commit), one per request and a hundred per request, beside the same rows written the usual ways, in one run on one
 * machine, each on tables of its own in the same durable PostgreSQL; then at a steady rate for a minute, beside a flushed
 * commit; then with two lanes beside one; then with net positions beside `standard`; then above a ledger of a million rows, beside
 * empty tables. Bounded: about fourteen minutes, at most 256 connections, loopback only. `--only rates|steady|lanes|rules|aged` does
 * one of the five; `--former <folder>`
 * measures against another checkout instead, in about four minutes.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createAgedDatabase, measureAged } from './aged-orders.ts';
import { type Cluster, withCluster } from './cluster.ts';
import { best, heading, machine, type Run, row, verdict } from './figures.ts';
import { measureFormer, measureLanes, measureRules, type NamedJob } from './paired-orders.ts';
import { measurePeer, type PeerName, peers } from './peers.ts';
import { type Job, measure, withProduct } from './product.ts';
import { measureSteadily } from './steady-orders.ts';

const peerConcurrencies = [1, 8, 16];
const connectionCounts = [16, 64, 256];
/** Duration of each steady rate. */
const steadyS = 60;
/** As many rows as one insert may have. */
const rowsPerInsert = 100;
const insertConnections = [4, 8, 16];
/** What is best as a rule, where it was not measured. */
const [singlesAtBest, arraysAtBest] = [256, 8];
/** The aims of the whole path against plpgsql at its best concurrency. */
const aimRatio = { single: 1.5, array: 2.5 };

const perOrder: PeerName = 'one plpgsql call per order';
const perOrderWithRow: PeerName = 'one plpgsql call per order with its row';

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

async function measureProduct(databaseUrl: string): Promise<Outcome> {
  return withProduct(databaseUrl, async (product) => {
    const single: Run[] = [];
    for (const connections of connectionCounts) {
      single.push(await product.load(singleName, singles(connections)));
    }
    const array: Run[] = [];
    for (const connections of insertConnections) {
      array.push(await product.load(arrayName, arrays(connections)));
    }
    return { single: best(single), array: best(array) };
  });
}

const change = (from: Run, to: Run): string => {
  const percent = (to.perSecond / from.perSecond - 1) * 100;
  return `${from.perSecond.toFixed(0)} -> ${to.perSecond.toFixed(0)}/s (${percent > 0 ? '+' : ''}${percent.toFixed(0)} %)`;
};

interface Rates {
  readonly ofPeer: Map<PeerName, Run>;
  readonly own: Outcome;
}

/** Peers and product at full speed on fresh tables; which peer and how many connections were best. */
async function measureRates(cluster: Cluster): Promise<Rates> {
  const ofPeer = new Map<PeerName, Run>();
  for (const name of Object.keys(peers) as PeerName[]) {
    ofPeer.set(name, await bestOfPeer(cluster, name, peerConcurrencies));
  }
  const own = await measureProduct(await cluster.createDatabase('product'));
  await cluster.dropDatabase('product');
  for (const [name, peer] of ofPeer) {
    const times = (run: Run): string => (run.perSecond / peer.perSecond).toFixed(2);
    console.log(
      `single ${times(own.single)} x, arrays ${times(own.array)} x ${name} at its best (${peer.perSecond.toFixed(0)}/s)`,
    );
  }
  const ratioTo = (run: Run, peer: PeerName): number =>
    run.perSecond / (ofPeer.get(peer)?.perSecond ?? Number.NaN);
  const [singleRatio, arrayRatio] = [ratioTo(own.single, perOrder), ratioTo(own.array, perOrderWithRow)];
  console.log(
    `aim: single requests at least ${aimRatio.single} x ${perOrder}: ${verdict(singleRatio >= aimRatio.single)}`,
  );
  console.log(
    `aim: arrays at least ${aimRatio.array} x ${perOrderWithRow}: ${verdict(arrayRatio >= aimRatio.array)}\n`,
  );
  return { ofPeer, own };
}

/** Peers above the same ledger, each at the concurrency that was its best. */
async function measureAgedPeers(cluster: Cluster, past: string, ofPeer: Map<PeerName, Run>): Promise<void> {
  const aged = new Map<PeerName, Run>();
  for (const name of [perOrder, perOrderWithRow]) {
    const { concurrency } = ofPeer.get(name) ?? best([]);
    aged.set(name, await bestOfPeer(cluster, name, [concurrency], past));
  }
  for (const [name, run] of aged) console.log(`${name}: ${change(ofPeer.get(name) ?? run, run)}`);
}

const parts = ['rates', 'steady', 'aged', 'lanes', 'rules'] as const;
type Part = (typeof parts)[number];

interface Options {
  readonly only: Part | null;
  readonly seconds: number;
  /** The folder of the checkout to measure against. */
  readonly former: string | null;
}

/** @throws Error with the usage */
function optionsOf(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, seconds: { type: 'string' }, former: { type: 'string' } },
  });
  const seconds = Number(values.seconds ?? steadyS);
  const only = parts.find((part) => part === values.only) ?? null;
  if ((values.only !== undefined && only === null) || !(seconds >= 1 && seconds <= 600))
    throw new Error(
      `usage: npm run bench -- orders [--only ${parts.join('|')}] [--seconds 1..600] [--former <folder>]`,
    );
  return { only, seconds, former: values.former === undefined ? null : resolve(values.former) };
}

export async function benchOrders(): Promise<void> {
  const { only, seconds, former } = optionsOf(process.argv.slice(3));
  const isSelected = (part: Part): boolean => only === null || only === part;
  await withCluster(async (cluster) => {
    console.log(`${machine}, PostgreSQL ${cluster.version}, synchronous_commit=on`);
    console.log(
      `${measure.traders} traders, ${measure.seconds} s each after ${measure.warmUpS} s of warm-up, fresh tables\n`,
    );
    console.log(heading());
    const atBest = (rates: Rates | null): NamedJob[] => [
      { name: singleName, job: singles(rates?.own.single.concurrency ?? singlesAtBest) },
      { name: arrayName, job: arrays(rates?.own.array.concurrency ?? arraysAtBest) },
    ];
    if (former !== null) return await measureFormer(cluster, former, atBest(null));
    const rates = isSelected('rates') ? await measureRates(cluster) : null;
    if (isSelected('steady')) await measureSteadily(cluster, seconds);
    if (isSelected('lanes')) await measureLanes(cluster, atBest(rates));
    if (isSelected('rules')) await measureRules(cluster, atBest(rates));
    if (!isSelected('aged')) return;
    const past = await createAgedDatabase(cluster);
    if (rates) await measureAgedPeers(cluster, past, rates.ofPeer);
    await measureAged(cluster, past, atBest(rates));
  });
}
