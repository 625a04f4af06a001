/**
 * The figures of the last 24 hours: the running minute and the 1,439 before it. The sum of the finished minutes is cached
 * and changes once a minute; the running one is computed each time, so the day's extremes include every shown price and
 * every bar of that time.
 */
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';
import type { TradingSchedule } from '../../trading-hours.ts';
import type { PathBar, SimulatedPath } from './path.ts';

/** `open`: what the price cost 24 hours before; null in a market that was shut all the while. */
export interface RollingFigures extends DayFigures {
  readonly open: number | null;
}

const percentDecimals = 1e4;
const quoteDecimals = 1e2;

export interface RollingDay {
  /** Of the 24 hours up to and with `instant`, ms since the epoch. */
  at(instant: number): RollingFigures;
  /** To be called when the path has changed. */
  forget(): void;
}

export function createRollingDay(path: SimulatedPath, schedule: TradingSchedule): RollingDay {
  let finished: { readonly minute: number; readonly bar: PathBar | null } | null = null;

  return {
    at(instant) {
      const minute = Math.floor(instant / minuteMs) * minuteMs;
      if (finished?.minute !== minute) {
        finished = { minute, bar: path.bar(schedule.openSpans(minute + minuteMs - dayMs, minute)) };
      }
      const running = path.bar(schedule.openSpans(minute, instant + 1));
      return figuresOf(mergeFigures(finished.bar, running));
    },
    forget() {
      finished = null;
    },
  };
}

function mergeFigures(earlier: PathBar | null, later: PathBar | null): PathBar | null {
  if (!earlier || !later) return earlier ?? later;
  return {
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    quote_volume: earlier.quote_volume + later.quote_volume,
  };
}

/** The figures with a later price: the change is that of this price, and the day's extremes hold it. */
export function withPrice(figures: RollingFigures, price: number): RollingFigures {
  const { open, high, low } = figures;
  return {
    ...figures,
    priceChangePercent: open === null ? null : changePercent(open, price),
    high: Math.max(high ?? price, price),
    low: Math.min(low ?? price, price),
  };
}

const changePercent = (open: number, price: number): number =>
  Math.round((price / open - 1) * 100 * percentDecimals) / percentDecimals;

function figuresOf(bar: PathBar | null): RollingFigures {
  if (!bar) return { open: null, priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };
  return {
    open: bar.open,
    priceChangePercent: changePercent(bar.open, bar.close),
    volume: bar.volume,
    quoteVolume: Math.round(bar.quote_volume * quoteDecimals) / quoteDecimals,
    high: bar.high,
    low: bar.low,
  };
}
