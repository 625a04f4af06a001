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
import { type Job, type Product, type ProductSettings, withProduct } from './product.ts';

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

/** What a contender runs on, and the name of its database. */
interface ContenderSetup {
  readonly name: string;
  readonly cluster: Cluster;
  readonly database: string;
  readonly settings?: ProductSettings;
}

/** Measures the jobs on two products, each on a database that ends with the measurement. */
async function measurePair(
  [first, second]: readonly [ContenderSetup, ContenderSetup],
  jobs: readonly NamedJob[],
  pairing: Pairing,
): Promise<void> {
  const [firstUrl, secondUrl] = [
    await first.cluster.createDatabase(first.database),
    await second.cluster.createDatabase(second.database),
  ];
  const measureBoth = async (one: Product, other: Product): Promise<void> => {
    const firstContender = { name: first.name, product: one, databaseUrl: firstUrl };
    const secondContender = { name: second.name, product: other, databaseUrl: secondUrl };
    for (const job of jobs) await measureJob(firstContender, secondContender, job, pairing);
  };
  try {
    await withProduct(
      firstUrl,
      (one) => withProduct(secondUrl, (other) => measureBoth(one, other), second.settings),
      first.settings,
    );
  } finally {
    for (const { cluster, database } of [first, second]) await cluster.dropDatabase(database);
  }
}

/** Prints what two lanes are of one (`ENGINE_LANES`), on two databases of one PostgreSQL. */
export const measureLanes = (cluster: Cluster, jobs: readonly NamedJob[]): Promise<void> =>
  measurePair(
    [
      { name: '1 lane', cluster, database: 'one_lane' },
      { name: '2 lanes', cluster, database: 'two_lanes', settings: { lanes: 2 } },
    ],
    jobs,
    { rounds: 6, aim: { leastRate: 1.3 } },
  );

/** Prints what accounts with net positions are of main accounts, on two databases of one PostgreSQL. */
export const measureRules = (cluster: Cluster, jobs: readonly NamedJob[]): Promise<void> =>
  measurePair(
    [
      { name: 'standard', cluster, database: 'standard' },
      { name: 'perpetual', cluster, database: 'perpetual', settings: { isNet: true } },
    ],
    jobs,
    { rounds: 6, aim: { leastRate: 0.8 } },
  );

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
  const database = 'against_former';
  const settings = { server: new URL('server.ts', bench) };
  try {
    await measurePair(
      [
        { name: 'the former checkout', cluster: formerCluster, database, settings },
        { name: 'this one', cluster, database },
      ],
      jobs,
      { rounds: 8, aim: { mostCpu: 1.05 } },
    );
  } finally {
    await formerCluster.stop();
  }
}
