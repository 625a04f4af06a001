/**
 * Orders with two lanes beside one: two servers on two databases of one PostgreSQL, loaded alternately, so that other work on
 * the machine affects both. A round's ratio compares neighbours in time; processor time is that of server and PostgreSQL together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { median } from './figures.ts';
import { type Job, type Load, type Product, withProduct } from './product.ts';

const rounds = 6;
/** Of the rate with one lane, as the median of the rounds. */
const aimRatio = 1.3;
const settleMs = 500;

export interface LaneJob {
  readonly name: string;
  readonly job: Job;
}

interface Measured {
  readonly perSecond: number;
  /** Of server and PostgreSQL, an order; null where the system does not tell. */
  readonly cpuUs: number | null;
}

/** Runs each job alternately on both, and prints what two lanes are of one. */
export async function measureLanes(cluster: Cluster, jobs: readonly LaneJob[]): Promise<void> {
  const [oneUrl, twoUrl] = [
    await cluster.createDatabase('one_lane'),
    await cluster.createDatabase('two_lanes'),
  ];
  const runRound = async (product: Product, name: string, job: Job): Promise<Measured> => {
    const before = cluster.cpuS();
    const load: Load = await product.load(name, job);
    const after = cluster.cpuS();
    await sleep(settleMs);
    const ofDatabase = before === null || after === null ? null : after - before;
    const cpuUs = ofDatabase === null ? null : ((load.serverCpuS + ofDatabase) / load.orders) * 1e6;
    return { perSecond: load.perSecond, cpuUs };
  };
  const measureBoth = async (one: Product, two: Product): Promise<void> => {
    for (const { name, job } of jobs) {
      const rates: number[] = [];
      const costs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const withOne = await runRound(one, `${name}, 1 lane`, job);
        const withTwo = await runRound(two, `${name}, 2 lanes`, job);
        rates.push(withTwo.perSecond / withOne.perSecond);
        if (withOne.cpuUs === null || withTwo.cpuUs === null) continue;
        costs.push(withTwo.cpuUs / withOne.cpuUs);
        console.log(
          `  ${withOne.cpuUs.toFixed(0)} and ${withTwo.cpuUs.toFixed(0)} µs of processor time an order`,
        );
      }
      const listed = rates.map((one) => one.toFixed(2)).join(', ');
      const ratio = median(rates);
      console.log(
        `${name}: 2 lanes ${listed} of one, median ${ratio.toFixed(2)}; aim at least ${aimRatio}: ${ratio >= aimRatio ? 'met' : 'MISSED'}`,
      );
      if (costs.length > 0)
        console.log(`${name}: processor time an order ${median(costs).toFixed(2)} of one lane\n`);
    }
  };
  try {
    await withProduct(oneUrl, (one) => withProduct(twoUrl, (two) => measureBoth(one, two), { lanes: 2 }), {
      lanes: 1,
    });
  } finally {
    for (const name of ['one_lane', 'two_lanes']) await cluster.dropDatabase(name);
  }
}
