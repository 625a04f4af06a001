/**
 * Bars of the exchange (`/api/v3/klines`). Its bars begin where ours do: up to 4 h on the UTC clock, days at
 * 00:00 UTC, weeks on Monday, months on their first. Its timeframes have the same names as ours, case included.
 */
import { texts } from '@fulcrum/contract';
import { ALWAYS_OPEN, barStart, type Timeframe } from '@fulcrum/domain';
import type { Bar } from '../../feed.ts';
import { PriceError } from '../../price-error.ts';
import { readAmount, readInstant } from './figures.ts';

/** What one request returns at most. */
export const klinesMax = 1_000;

/** Positions in a row. */
const column = { openTime: 0, open: 1, high: 2, low: 3, close: 4, volume: 5, quoteVolume: 7 } as const;

interface Klines {
  /** Oldest first, each open time once. */
  readonly bars: readonly Bar[];
  /** Rows that are no bar: figures that are none or contradict each other, or an open time where no bar begins. */
  readonly dropped: number;
}

/** @throws PriceError 'Invalid response format' */
export function readKlines(answer: unknown, timeframe: Timeframe): Klines {
  if (!Array.isArray(answer)) throw new PriceError(texts.invalidResponse);
  const rows: readonly unknown[] = answer;
  const bars = new Map<number, Bar>();
  for (const row of rows) {
    if (!Array.isArray(row)) throw new PriceError(texts.invalidResponse);
    const openTime = readInstant(row[column.openTime]);
    const bar = openTime === null ? null : readBar(row, openTime, timeframe);
    if (openTime !== null && bar) bars.set(openTime, bar);
  }
  const inOrder = [...bars].sort(([left], [right]) => left - right).map(([, bar]) => bar);
  return { bars: inOrder, dropped: rows.length - inOrder.length };
}

function readBar(row: readonly unknown[], openTime: number, timeframe: Timeframe): Bar | null {
  if (barStart(timeframe, openTime, ALWAYS_OPEN) !== openTime) return null;
  const open = readAmount(row[column.open]);
  const high = readAmount(row[column.high]);
  const low = readAmount(row[column.low]);
  const close = readAmount(row[column.close]);
  const volume = readAmount(row[column.volume]);
  const quote_volume = readAmount(row[column.quoteVolume]);
  if (!open || !high || !low || !close || volume === null || quote_volume === null) return null;
  if (low > Math.min(open, close) || high < Math.max(open, close)) return null;
  return { open_time: new Date(openTime).toISOString(), open, high, low, close, volume, quote_volume };
}
