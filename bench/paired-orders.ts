/**
 * The same orders against two servers, each on a database of its own, loaded alternately, so that other work on the machine
 * affects both: two lanes beside one, net positions beside `standard`, or this checkout beside a former one. A round's ratio compares neighbours in time;
 * processor time is that of server and PostgreSQL together.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Cluster, withClient } from './cluster.ts';
import { median, verdict } from './figures.ts';
import { allStats, statOf } from './process-stat.ts';
import { type Job, type Product, withProduct } from './product.ts';

const settleMs = 500;

export interface NamedJob {
  readonly name: string;
  readonly job: Job;
}

interface Contender {
  /** As in 'an order with …'. */
  readonly name: string;
  readonly product: Product;
  readonly databaseUrl: string;
}

interface Measured {
  readonly perSecond: number;
  /** Of server and PostgreSQL, an order; NaN where the system does not tell. */
  readonly cpuUs: number;
}

interface Pairing {
  readonly rounds: number;
  /** Bounds on the medians of the rounds: the second's rate and processor time in multiples of the first's. */
  readonly aim: { readonly leastRate?: number; readonly mostCpu?: number };
}

/** Processor time so far of all processes of the PostgreSQL behind `databaseUrl`, in seconds. */
function postgresCpuS(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? 0;
    // Sessions that have ended count with the postmaster.
    const sessions = allStats().filter(({ parent }) => parent === postmaster);
    return sessions.reduce((sum, { cpuS }) => sum + cpuS, statOf(postmaster)?.cpuS ?? Number.NaN);
  });
}

async function measureOnce({ name, product, databaseUrl }: Contender, { name: of, job }: NamedJob) {
  const before = await postgresCpuS(databaseUrl);
  const load = await product.load(`${of}, ${name}`, job);
  const ofDatabase = (await postgresCpuS(databaseUrl)) - before;
  await sleep(settleMs);
  return {
    perSecond: load.perSecond,
    cpuUs: ((load.serverCpuS + ofDatabase) / load.orders) * 1e6,
  } satisfies Measured;
}

const listed = (ratios: readonly number[]) => ratios.map((one) => one.toFixed(2)).join(', ');

/** Every second round begins with the second one, so that neither is always the one that comes after a pause. */
async function measureJob(
  first: Contender,
  second: Contender,
  job: NamedJob,
  { rounds, aim }: Pairing,
): Promise<void> {
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isSwapped = round % 2 === 1;
    const early = await measureOnce(isSwapped ? second : first, job);
    const late = await measureOnce(isSwapped ? first : second, job);
    const [ofFirst, ofSecond] = isSwapped ? [late, early] : [early, late];
    rates.push(ofSecond.perSecond / ofFirst.perSecond);
    costs.push(ofSecond.cpuUs / ofFirst.cpuUs);
    console.log(
      `  ${ofFirst.cpuUs.toFixed(0)} and ${ofSecond.cpuUs.toFixed(0)} µs of processor time an order`,
    );
  }
  const [rate, cost] = [median(rates), median(costs)];
  const { leastRate, mostCpu } = aim;
  const ofRate = leastRate && `; aim at least ${leastRate}: ${verdict(rate >= leastRate)}`;
  const ofCost = mostCpu && `; aim at most ${mostCpu}: ${verdict(cost <= mostCpu)}`;
  console.log(`${job.name}, ${second.name} in multiples of ${first.name}:`);
  console.log(`  rate ${listed(rates)}, median ${rate.toFixed(2)}${ofRate ?? ''}`);
  console.log(`  processor time an order ${listed(costs)}, median ${cost.toFixed(2)}${ofCost ?? ''}\n`);
}

async function measurePair(
  first: Contender,
  second: Contender,
  jobs: readonly NamedJob[],
  pairing: Pairing,
): Promise<void> {
  for (const job of jobs) await measureJob(first, second, job, pairing);
}

/** Prints what two lanes are of one (`ENGINE_LANES`), on two databases of one PostgreSQL. */
export async function measureLanes(cluster: Cluster, jobs: readonly NamedJob[]): Promise<void> {
  const [oneUrl, twoUrl] = [
    await cluster.createDatabase('one_lane'),
    await cluster.createDatabase('two_lanes'),
  ];
  const pairing = { rounds: 6, aim: { leastRate: 1.3 } };
  const measureBoth = (one: Product, two: Product) =>
    measurePair(
      { name: '1 lane', product: one, databaseUrl: oneUrl },
      { name: '2 lanes', product: two, databaseUrl: twoUrl },
      jobs,
      pairing,
    );
  try {
    await withProduct(oneUrl, (one) => withProduct(twoUrl, (two) => measureBoth(one, two), { lanes: 2 }));
  } finally {
    for (const name of ['one_lane', 'two_lanes']) await cluster.dropDatabase(name);
  }
}

/** Prints what accounts with net positions are of main accounts, on two databases of one PostgreSQL. */
export async function measureRules(cluster: Cluster, jobs: readonly NamedJob[]): Promise<void> {
  const [standardUrl, netUrl] = [
    await cluster.createDatabase('standard'),
    await cluster.createDatabase('perpetual'),
  ];
  const measureBoth = (standard: Product, net: Product) =>
    measurePair(
      { name: 'standard', product: standard, databaseUrl: standardUrl },
      { name: 'perpetual', product: net, databaseUrl: netUrl },
      jobs,
      { rounds: 6, aim: { leastRate: 0.8 } },
    );
  try {
    await withProduct(standardUrl, (standard) =>
      withProduct(netUrl, (net) => measureBoth(standard, net), { isNet: true }),
    );
  } finally {
    for (const name of ['standard', 'perpetual']) await cluster.dropDatabase(name);
  }
}

/**
 * Prints what this checkout is of the one in `folder`, which has its packages installed; each has the PostgreSQL that its
 * own code starts and migrates.
 */
export async function measureFormer(
  cluster: Cluster,
  folder: string,
  jobs: readonly NamedJob[],
): Promise<void> {
  const bench = pathToFileURL(join(folder, 'bench/'));
  const { startCluster } = (await import(new URL('cluster.ts', bench).href)) as {
    readonly startCluster: () => Promise<Cluster>;
  };
  const formerCluster = await startCluster();
  const name = 'against_former';
  try {
    const [formerUrl, ownUrl] = [
      await formerCluster.createDatabase(name),
      await cluster.createDatabase(name),
    ];
    const measureBoth = (former: Product, own: Product) =>
      measurePair(
        { name: 'the former checkout', product: former, databaseUrl: formerUrl },
        { name: 'this one', product: own, databaseUrl: ownUrl },
        jobs,
        { rounds: 8, aim: { mostCpu: 1.05 } },
      );
    await withProduct(formerUrl, (former) => withProduct(ownUrl, (own) => measureBoth(former, own)), {
      server: new URL('server.ts', bench),
    });
    await cluster.dropDatabase(name);
  } finally {
    await formerCluster.stop();
  }
}
