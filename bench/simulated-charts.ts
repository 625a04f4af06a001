/**
 * Simulated charts of each timeframe, of a pair of one path and of one of two, each seen by a process of its own: cold
 * (nothing is kept of any day), kept (the days are in PostgreSQL, as after a restart, or once the background has
 * computed them) and again in the same process. The middle one of three processes each.
 */
import { isIntraday, timeframes } from '@fulcrum/domain';
import type pg from 'pg';
import { messageOf, start } from './children.ts';
import type { ChartAsked, ChartSeen } from './simulated-chart.ts';

const charts = [
  { symbol: 'BTCUSDT', form: 'one leg' },
  { symbol: 'EUR/GBP', form: 'cross' },
] as const;
const processes = 3;
const rounds = 20;
const wholePast = 10_000;

async function see(asked: ChartAsked): Promise<ChartSeen> {
  const child = start('./simulated-chart.ts');
  child.send(asked);
  return messageOf<ChartSeen>(child);
}

function middle(all: readonly ChartSeen[]): ChartSeen {
  const seen = all.toSorted((left, right) => left.firstMs - right.firstMs)[Math.floor(all.length / 2)];
  if (!seen) throw new Error('no chart was seen');
  return seen;
}

/** `client`: of the database, to empty the table between two looks; the catalogue has to be in it. */
export async function benchSimulatedCharts(
  databaseUrl: string,
  client: pg.Client,
  bars: number,
  limitMs: number,
): Promise<void> {
  console.log(`
Simulated charts of ${bars} bars, or as many as there are since 2015, in ms; each first look by a process of its own.
cold: nothing is kept; kept: finished days are in PostgreSQL (bars of a day and longer); again: in the same process.
`);
  const row = (cells: readonly string[]) => cells.map((cell) => cell.padStart(9)).join('');
  console.log(row(['', 'symbol', 'form', 'bars', 'cold', 'kept', 'again', 'cold', 'kept']));
  const verdict = (ms: number) => (ms <= limitMs ? 'met' : 'MISSED');
  for (const timeframe of timeframes) {
    for (const { symbol, form } of charts) {
      const { cold, kept } = await seeBoth({ databaseUrl, symbol, timeframe, bars, rounds }, client);
      const figures = [cold.firstMs, kept?.firstMs ?? null, cold.againMs];
      const verdicts = [verdict(cold.firstMs), kept ? verdict(kept.firstMs) : '-'];
      const shown = figures.map((ms) => ms?.toFixed(1) ?? '-');
      console.log(row([timeframe, symbol, form, String(cold.bars), ...shown, ...verdicts]));
    }
  }
  console.log(`\nlimit: ${limitMs} ms`);
}

async function seeBoth(asked: ChartAsked, client: pg.Client) {
  const cold: ChartSeen[] = [];
  for (let count = 0; count < processes; count += 1) {
    await client.query('truncate app.simulated_days');
    cold.push(await see(asked));
  }
  // A chart of days leaves them; the whole past has some 4,300.
  if (!isIntraday(asked.timeframe)) await see({ ...asked, timeframe: '1d', bars: wholePast, rounds: 0 });
  const kept: ChartSeen[] = [];
  // Bars of up to four hours are computed, whatever is kept.
  while (!isIntraday(asked.timeframe) && kept.length < processes) kept.push(await see(asked));
  return { cold: middle(cold), kept: kept.length > 0 ? middle(kept) : null };
}
