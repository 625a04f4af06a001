/**
 * The ticker tape's seven instruments (PUB-04), from this server's own feed (A35). Invariant: the tape shows all
 * seven, in this order, whatever was read. A price without a recent confirmation is never shown as a current one.
 */
import type { PriceState } from '@fulcrum/contract';
import type { ShownState } from '../../shared/prices/state-labels.ts';
import { fetchCandles, fetchPairs, type Polled, usePolled } from './requests.ts';

export const instruments = [
  { symbol: 'SPX', name: 'S&P 500' },
  { symbol: 'BTCUSDT', name: 'Bitcoin' },
  { symbol: 'ETHUSDT', name: 'Ethereum' },
  { symbol: 'WTIUSD', name: 'Crude Oil' },
  { symbol: 'XAUUSD', name: 'Gold' },
  { symbol: 'EUR/USD', name: 'EUR/USD' },
  { symbol: 'NDX', name: 'Nasdaq 100' },
] as const;
const symbols = instruments.map(({ symbol }) => symbol);

const pricesEveryMs = 5000;
const linesEveryMs = 300_000;
const lineTimeframe = '30m';
/** One day of bars. */
const lineBars = 48;
/** After this long without an answer the last prices count as stale. */
export const silentAfterMs = 30_000;

export interface TickerRow {
  readonly symbol: string;
  readonly tick_size: number;
  readonly price: number | null;
  readonly price_change_percent: number | null;
  readonly state: PriceState | null;
}
const columns = ['symbol', 'tick_size', 'price', 'price_change_percent', 'state'] as const;

export interface TickerFigure {
  readonly symbol: string;
  readonly name: string;
  /** Null if unknown. */
  readonly price: number | null;
  readonly changePercent: number | null;
  readonly tickSize: number;
  readonly state: ShownState;
}

/** The tape's figures; `rows` in any order, `ageMs` since the server's last answer. */
export function toTickerFigures(rows: readonly TickerRow[], ageMs: number): readonly TickerFigure[] {
  return instruments.map(({ symbol, name }) => {
    const row = rows.find((one) => one.symbol === symbol);
    const state = row?.price == null ? 'missing' : (row.state ?? 'missing');
    const isUnconfirmed = ageMs >= silentAfterMs && state !== 'missing' && state !== 'closed';
    return {
      symbol,
      name,
      price: row?.price ?? null,
      changePercent: row?.price_change_percent ?? null,
      tickSize: row?.tick_size ?? 0.01,
      state: isUnconfirmed ? 'stale' : state,
    };
  });
}

/** Points of an SVG polyline through `values`, oldest first, filling `width` × `height`; '' for fewer than two. */
export function toLinePoints(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // A flat line runs through the middle.
  const y = (value: number) => (high === low ? height / 2 : ((high - value) / (high - low)) * height);
  const step = width / (values.length - 1);
  return values
    .map((value, index) => `${Math.round(index * step * 10) / 10},${Math.round(y(value) * 10) / 10}`)
    .join(' ');
}

export type SparklineValues = Readonly<Record<string, readonly number[]>>;

/** Closes of the last day by symbol. A missing symbol is left out; no symbol at all is a failure. */
async function fetchLines(signal: AbortSignal): Promise<SparklineValues> {
  const reads = await Promise.allSettled(
    symbols.map(async (symbol) => {
      const candles = await fetchCandles(symbol, lineTimeframe, lineBars, signal);
      return [symbol, candles.map(({ close }) => close)] as const;
    }),
  );
  const read = reads.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = reads;
  if (read.length === 0 && first?.status === 'rejected') throw first.reason;
  return Object.fromEntries(read);
}

const fetchRows = (signal: AbortSignal) => fetchPairs<TickerRow>(symbols, columns, signal);

export function useTickerTape(): {
  readonly rows: Polled<readonly TickerRow[]>;
  readonly lines: SparklineValues;
} {
  const rows = usePolled('The prices of the ticker tape', fetchRows, pricesEveryMs);
  const lines = usePolled('The lines of the ticker tape', fetchLines, linesEveryMs);
  return { rows, lines: lines.status === 'ready' ? lines.value : {} };
}
