/**
 * The figures of the last 24 hours: the running minute and the 1,439 before it. What the finished minutes add changes once
 * a minute and is kept; the running one is looked at each time, so the day's extremes hold every price that was
 * shown and every bar of that time.
 */
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';
import type { Sessions } from '../../sessions.ts';
import type { PathBar, SimulatedPath } from './path.ts';

const percentDecimals = 1e4;
const quoteDecimals = 1e2;

export interface RollingDay {
  /** Of the 24 hours up to and with `instant`, ms since the epoch. */
  at(instant: number): DayFigures;
  /** To be called when the path has changed. */
  forget(): void;
}

export function createRollingDay(path: SimulatedPath, sessions: Sessions): RollingDay {
  let finished: { readonly minute: number; readonly bar: PathBar | null } | null = null;

  return {
    at(instant) {
      const minute = Math.floor(instant / minuteMs) * minuteMs;
      if (finished?.minute !== minute) {
        finished = { minute, bar: path.bar(sessions.within(minute + minuteMs - dayMs, minute)) };
      }
      const running = path.bar(sessions.within(minute, instant + 1));
      return figuresOf(joined(finished.bar, running));
    },
    forget() {
      finished = null;
    },
  };
}

function joined(earlier: PathBar | null, later: PathBar | null): PathBar | null {
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

function figuresOf(bar: PathBar | null): DayFigures {
  if (!bar) return { priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };
  return {
    priceChangePercent: Math.round((bar.close / bar.open - 1) * 100 * percentDecimals) / percentDecimals,
    volume: bar.volume,
    quoteVolume: Math.round(bar.quote_volume * quoteDecimals) / quoteDecimals,
    high: bar.high,
    low: bar.low,
  };
}
