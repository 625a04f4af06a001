/**
 * `npm run bench -- candles`: a chart of 1,000 bars of each timeframe, as `get_candles` returns it (before HTTP), above a
 * million stored minutes: from the store, beside the bare select of the same rows through pg, alternately in one run; and
 * from the simulation (`simulated-charts.ts`). Bounded: about three minutes, one connection at a time, no network.
 */
import { type Timeframe, timeframes } from '@fulcrum/domain';
import type pg from 'pg';
import type { Candles } from '../apps/server/src/features/market/candles/index.ts';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import { writePairs } from '../apps/server/src/features/market/store.ts';
import { createDatabase } from '../apps/server/src/platform/database/pool.ts';
import { createBenchCandles } from './bench-candles.ts';
import { benchLog, withClient, withCluster } from './cluster.ts';
import { machine, quantile, verdict } from './figures.ts';
import { benchSimulatedCharts } from './simulated-charts.ts';

const bars = 1_000;
const limitMs = 50;
const rounds = 40;
const symbol = 'BTCUSDT';
/** Four weeks of minutes, and of longer bars a little more than one chart. */
const filled = { symbols: 25, minutes: 40_000, longer: bars + 200 } as const;
const steps: Readonly<Record<Timeframe, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '1w': '1 week',
  '1M': '1 month',
};

async function fill(client: pg.Client): Promise<void> {
  // Skips the foreign key, which would cost one lookup per row; the pairs exist.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into app.trading_pairs
     select s, s, null, 'crypto', s, 'USDT', 0.01, 1000000, 0.01, 0.01, 100, 0.01, 'UTC|Mon-Sun 00:00-24:00', 0, true
     from unnest($1::text[]) s`,
    [symbols()],
  );
  const insert = `insert into app.candles
    select symbol, 'binance', $2, date_trunc($5, now()) - n * $3::interval, 64000.12 + n % 100, 64200.5 + n % 100, 63900.25 + n % 100,
      64100 + n % 100, 12.3456 + n % 7, 790000.25 + n, false
    from generate_series(1, $4::int) n, unnest($1::text[]) symbol`;
  await client.query(insert, [symbols(), '1m', steps['1m'], filled.minutes, 'minute']);
  for (const timeframe of timeframes.slice(1)) {
    const unit = timeframe === '1w' ? 'week' : timeframe === '1M' ? 'month' : 'day';
    await client.query(insert, [symbols(), timeframe, steps[timeframe], filled.longer, unit]);
  }
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze app.candles');
}

const symbols = (): string[] =>
  catalogue
    .filter(({ type }) => type === 'crypto')
    .slice(0, filled.symbols)
    .map((pair) => pair.symbol);

async function timed(work: () => Promise<{ readonly length: number }>): Promise<number> {
  const begun = performance.now();
  const { length } = await work();
  const ms = performance.now() - begun;
  if (length < bars) throw new Error(`${length} bars instead of ${bars}`);
  return ms;
}

const columns = ['timeframe', 'bare ms', 'store ms', 'ratio', 'bare p95', 'store p95', 'first'] as const;
const line = (cells: readonly string[]): string =>
  cells.map((cell, column) => cell.padStart(Math.max(9, columns[column]?.length ?? 0))).join('  ');
const shown = (ms: number): string => ms.toFixed(2);

export async function benchCandles(): Promise<void> {
  await withCluster(async (cluster) => {
    console.log(`${machine}, PostgreSQL ${cluster.version}`);
    const databaseUrl = await cluster.createDatabase('candles');
    await withClient(databaseUrl, (client) => benchStoredCharts(databaseUrl, client));
    const charts = await cluster.createDatabase('charts');
    await withClient(charts, async (client) => {
      await writePairs(client, catalogue);
      await benchSimulatedCharts(charts, client, bars, limitMs);
    });
  });
}

async function benchStoredCharts(databaseUrl: string, client: pg.Client): Promise<void> {
  const begun = performance.now();
  await fill(client);
  const { rows: sizes } = await client.query<{ rows: string; mb: string }>(
    `select (select count(*) from app.candles) as rows, round(pg_total_relation_size('app.candles') / 1e6) as mb`,
  );
  console.log(
    `${sizes[0]?.rows} stored bars (${sizes[0]?.mb} MB, filled in ${((performance.now() - begun) / 1000).toFixed(0)} s); ${bars} bars a chart, median of ${rounds}, alternately\n`,
  );
  // The provider has nothing to add: the store is measured.
  const db = createDatabase({ connectionString: databaseUrl, max: 1 }, benchLog);
  const stored = createBenchCandles(db, { sourceOf: () => 'binance', candles: async () => [] });
  try {
    console.log(line(columns));
    let slowest = 0;
    for (const timeframe of timeframes) {
      const { cells, p95 } = await measure(timeframe, client, stored);
      console.log(line([timeframe, ...cells]));
      slowest = Math.max(slowest, p95);
    }
    console.log(
      `\nlimit: ${limitMs} ms for ${bars} bars from the store, 95 of 100 times: ${verdict(slowest <= limitMs)} (${shown(slowest)} ms)`,
    );
  } finally {
    await db.close();
  }
}

async function measure(timeframe: Timeframe, client: pg.Client, stored: Candles) {
  const query = { limit: bars, before: null };
  const fromStore = () => stored.candles(symbol, timeframe, query);
  const bareSelect = async () =>
    (
      await client.query({
        name: 'bare',
        text: `select * from app.candles where symbol = $1 and source = 'binance' and timeframe = $2
               order by open_time desc limit $3`,
        values: [symbol, timeframe, bars],
      })
    ).rows;
  const first = await timed(fromStore);
  const bare: number[] = [];
  const store: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await timed(bareSelect));
    store.push(await timed(fromStore));
  }
  const [p50, p95] = [quantile(store, 0.5), quantile(store, 0.95)];
  const ratio = p50 / quantile(bare, 0.5);
  return {
    p95,
    cells: [quantile(bare, 0.5), p50, ratio, quantile(bare, 0.95), p95, first].map(shown),
  };
}
