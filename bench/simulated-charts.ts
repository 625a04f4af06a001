/**
 * Simulated charts of each timeframe, of a pair of one path and of one of two, each read by a process of its own: cold
 * (no day is stored), stored (the days are in PostgreSQL, as after a restart, or once the background has
 * computed them) and again in the same process. The middle one of three processes each.
 */
import { isIntraday, timeframes } from '@fulcrum/domain';
import type pg from 'pg';
import { runJob } from './children.ts';
import { verdict } from './figures.ts';
import type { ChartRequest, ChartTiming } from './simulated-chart.ts';

const charts = [
  { symbol: 'BTCUSDT', form: 'one leg' },
  { symbol: 'EUR/GBP', form: 'cross' },
] as const;
const processes = 3;
const rounds = 20;
const wholePast = 10_000;

const measureInProcess = (request: ChartRequest): Promise<ChartTiming> =>
  runJob<ChartTiming>('./simulated-chart.ts', request);

function median(all: readonly ChartTiming[]): ChartTiming {
  const timings = all.toSorted((left, right) => left.firstMs - right.firstMs)[Math.floor(all.length / 2)];
  if (!timings) throw new Error('no chart was seen');
  return timings;
}

/** `client`: of the database, to empty the table between two reads; the catalogue has to be in it. */
export async function benchSimulatedCharts(
  databaseUrl: string,
  client: pg.Client,
  bars: number,
  limitMs: number,
): Promise<void> {
  console.log(`
Simulated charts of ${bars} bars, or as many as there are since 2015, in ms; each first read by a process of its own.
cold: no day is stored; stored: finished days are in PostgreSQL (bars of a day and longer); again: in the same process.
`);
  const row = (cells: readonly string[]) => cells.map((cell) => cell.padStart(9)).join('');
  console.log(row(['', 'symbol', 'form', 'bars', 'cold', 'stored', 'again', 'cold', 'stored']));
  for (const timeframe of timeframes) {
    for (const { symbol, form } of charts) {
      const { cold, stored } = await measureBoth({ databaseUrl, symbol, timeframe, bars, rounds }, client);
      const figures = [cold.firstMs, stored?.firstMs ?? null, cold.againMs];
      const verdicts = [cold, stored].map((timing) => (timing ? verdict(timing.firstMs <= limitMs) : '-'));
      const shown = figures.map((ms) => ms?.toFixed(1) ?? '-');
      console.log(row([timeframe, symbol, form, String(cold.bars), ...shown, ...verdicts]));
    }
  }
  console.log(`\nlimit: ${limitMs} ms`);
}

async function measureBoth(request: ChartRequest, client: pg.Client) {
  const cold: ChartTiming[] = [];
  for (let count = 0; count < processes; count += 1) {
    await client.query('truncate app.simulated_days');
    cold.push(await measureInProcess(request));
  }
  // A chart of days leaves them; the whole past has some 4,300.
  if (!isIntraday(request.timeframe))
    await measureInProcess({ ...request, timeframe: '1d', bars: wholePast, rounds: 0 });
  const stored: ChartTiming[] = [];
  // Bars of up to four hours are always computed.
  while (!isIntraday(request.timeframe) && stored.length < processes)
    stored.push(await measureInProcess(request));
  return { cold: median(cold), stored: stored.length > 0 ? median(stored) : null };
}
