/**
 * Orders at a steady rate for a minute, beside a flushed commit of one row in the same PostgreSQL and the same minute: the
 * worst cost of an order beside the least that the disk allows. Ten such commits a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Cluster, withClient } from './cluster.ts';
import { type Run, row, runOf, verdict } from './figures.ts';
import { readLog, since } from './log-counters.ts';
import { type Product, withProduct } from './product.ts';

const rates = [50, 200];
const connections = 32;
/** The aims, at the highest rate: in multiples of the commit's median, and absolute where nothing else runs. */
const aim = { times: 8, p99Ms: 15 };
const commitEveryMs = 100;
/** Sessions report their counters after a second. */
const countersAfterMs = 1_500;

/** One commit after another, each begun on a clock, until `until` settles; ms each. */
async function commitsWhile(client: pg.Client, until: Promise<unknown>): Promise<number[]> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  until.then(end, end);
  const latencies: number[] = [];
  for (let planned = performance.now(); !ended; planned += commitEveryMs) {
    await sleep(Math.max(0, planned - performance.now()));
    const sent = performance.now();
    await client.query('insert into public.flushed default values');
    latencies.push(performance.now() - sent);
  }
  return latencies;
}

interface Steady {
  readonly orders: Run;
  readonly commit: Run;
}

async function measureRate(
  product: Product,
  client: pg.Client,
  perSecond: number,
  seconds: number,
): Promise<Steady> {
  const before = await readLog(client);
  const load = product.load(`Fulcrum, ${perSecond} orders/s for ${seconds} s`, {
    ...{ connections, perSecond, rowsPerInsert: null, seconds },
  });
  const latencies = await commitsWhile(client, load);
  const orders = await load;
  const commit = runOf('a flushed commit of one row, same minute', 1, latencies, seconds);
  console.log(row(commit));
  await sleep(countersAfterMs);
  const { bytes, begun, made } = since(before, await readLog(client));
  console.log(
    `  ${begun} segments of the log begun, ${made} of them new; ${(bytes / 1024 ** 2).toFixed(0)} MB; p99 ${(orders.p99Ms / commit.p50Ms).toFixed(1)} x the commit's median, ${(orders.p99Ms / commit.p99Ms).toFixed(1)} x its p99`,
  );
  return { orders, commit };
}

/** Each rate for so many seconds, on a fresh database; printed. */
export async function measureSteadily(cluster: Cluster, seconds: number): Promise<void> {
  const [flushedUrl, steadyUrl] = [
    await cluster.createDatabase('flushed'),
    await cluster.createDatabase('steady'),
  ];
  try {
    await withClient(flushedUrl, async (client) => {
      await client.query('create table public.flushed (at timestamptz not null default now())');
      const last = await withProduct(steadyUrl, async (product) => {
        let measured: Steady | undefined;
        for (const rate of rates) measured = await measureRate(product, client, rate, seconds);
        return measured;
      });
      if (!last) throw new RangeError('at least one rate');
      const { orders, commit } = last;
      const at = `at ${rates.at(-1)} orders/s`;
      console.log(
        `aim: p99 at most ${aim.times} x a flushed commit's median ${at}: ${verdict(orders.p99Ms <= aim.times * commit.p50Ms)}`,
      );
      console.log(
        `aim: p99 at most ${aim.p99Ms} ms ${at}, where nothing else runs: ${verdict(orders.p99Ms <= aim.p99Ms)}\n`,
      );
    });
  } finally {
    for (const name of ['flushed', 'steady']) await cluster.dropDatabase(name);
  }
}
