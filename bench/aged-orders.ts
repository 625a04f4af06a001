/**
 * Orders above a ledger of a million rows beside the same on empty tables: two servers on two databases of one PostgreSQL,
 * loaded alternately, so that other work on the machine affects both. The first round after a checkpoint is the most
 * expensive one: PostgreSQL writes each touched page whole into the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, withClient } from './cluster.ts';
import { median, verdict } from './figures.ts';
import { readLog, since } from './log-counters.ts';
import type { NamedJob } from './paired-orders.ts';
import { type Job, measure, type Product, withProduct } from './product.ts';
import { createHistoryDatabase } from './traders.ts';

const ledgerRows = 1_000_000;
const rounds = 4;
/** Of the rate on empty tables, as the median of the rounds. */
const aimShare = 0.9;
const settleMs = 500;

/** A database that traded before, to be copied. */
export async function createAgedDatabase(cluster: Cluster): Promise<string> {
  await createHistoryDatabase(cluster, 'past', measure.traders, ledgerRows);
  console.log(
    `above ${ledgerRows} ledger rows, ${ledgerRows / 4} closed positions and as many stored answers`,
  );
  return 'past';
}

/** Runs each job alternately on both, and prints it with the remaining share of the rate. */
export async function measureAged(cluster: Cluster, past: string, jobs: readonly NamedJob[]): Promise<void> {
  const [emptyUrl, agedUrl] = [
    await cluster.createDatabase('empty'),
    await cluster.createDatabase('aged', past),
  ];
  await withClient(emptyUrl, async (client) => {
    const runRound = async (product: Product, name: string, job: Job): Promise<number> => {
      const before = await readLog(client);
      const { perSecond, orders } = await product.load(name, job);
      const { bytes, made } = since(before, await readLog(client));
      console.log(`  ${(bytes / orders).toFixed(0)} bytes of log an order, ${made} segments new`);
      await sleep(settleMs);
      return perSecond;
    };
    const measureBoth = async (empty: Product, aged: Product): Promise<void> => {
      for (const { name, job } of jobs) {
        const shares: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const onEmpty = await runRound(empty, `${name}, empty`, job);
          shares.push((await runRound(aged, `${name}, aged`, job)) / onEmpty);
        }
        const share = median(shares);
        console.log(
          `${name}: ${shares.map((one) => one.toFixed(2)).join(', ')} of the rate on empty tables, median ${share.toFixed(2)}; aim at least ${aimShare}: ${verdict(share >= aimShare)}`,
        );
      }
    };
    await withProduct(emptyUrl, (empty) => withProduct(agedUrl, (aged) => measureBoth(empty, aged)));
  });
}
