/**
 * Past bars of the simulated market, as numbers, for the demo's past: the bars that the chart shows. They are computed in
 * time slices (`Market.candles`), so ordinary requests go first.
 */
import { type BarPrices, hourMs, minuteMs } from '@fulcrum/domain';
import type { Market } from '../market/index.ts';

export interface PastBar extends BarPrices {
  /** When it opened, ms since the epoch. */
  readonly at: number;
}

/** The bars between which a past is played: minutes for an account that is looked at closely. */
export type Grain = '1m' | '5m';
export const grainMs: Readonly<Record<Grain, number>> = { '1m': minuteMs, '5m': 5 * minuteMs };

export interface PastBars {
  /** The hours of a symbol in [from, to), oldest first; none where the market is shut. */
  hours(symbol: string, from: number, to: number): Promise<readonly PastBar[]>;
  /** The short bars of one hour, without those that opened at `until` or later. */
  within(symbol: string, hour: number, grain: Grain, until: number): Promise<readonly PastBar[]>;
}

/** The hours in [from, to) of each symbol, read once. */
export function createHours(bars: PastBars, from: number, to: number) {
  const known = new Map<string, readonly PastBar[]>();
  const byOpening = new Map<string, ReadonlyMap<number, PastBar>>();
  async function list(symbol: string): Promise<readonly PastBar[]> {
    const read = known.get(symbol) ?? (await bars.hours(symbol, from, to));
    known.set(symbol, read);
    return read;
  }
  return {
    list,
    async byOpening(symbol: string): Promise<ReadonlyMap<number, PastBar>> {
      const map = byOpening.get(symbol) ?? new Map((await list(symbol)).map((bar) => [bar.at, bar]));
      byOpening.set(symbol, map);
      return map;
    },
  };
}

export function createPastBars(market: Pick<Market, 'candles'>): PastBars {
  async function read(symbol: string, timeframe: Grain | '1h', from: number, to: number, stepMs: number) {
    const limit = Math.ceil((to - from) / stepMs);
    const bars = await market.candles(symbol, timeframe, { limit, before: to });
    return bars
      .map(({ open_time, open, high, low, close }) => ({ at: Date.parse(open_time), open, high, low, close }))
      .filter(({ at }) => at >= from);
  }
  return {
    hours: (symbol, from, to) => read(symbol, '1h', from, to, hourMs),
    within: (symbol, hour, grain, until) =>
      read(symbol, grain, hour, Math.min(hour + hourMs, until), grainMs[grain]),
  };
}
