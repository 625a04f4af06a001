/**
 * The whole simulated path of one symbol: price, bars and the figures of the last 24 hours at any instant since `firstInstant`.
 * Nothing is stored: the daily layer says where a day begins and ends, the intraday tree what lies between.
 * Invariants: the price of an instant is a leaf of the path, so it lies inside every bar that holds the instant; bars of any
 * timeframe are aggregates of the shorter ones, volumes included.
 * Known limitations: symbols move independently of each other; there are no weekends, holidays or opening gaps in the path.
 */

import type { ListedPair } from '../../catalogue.ts';
import type { DayFigures } from '../../feed.ts';
import { createGrid } from '../../grid.ts';
import { dayMs, hourMs } from '../../timeframes.ts';
import { createDailyLayer, firstDay } from './daily.ts';
import { extremeOf, type IntradayDay, leafAt, leafOf } from './intraday.ts';
import { bell, draw, noiseKey, subKey } from './noise.ts';

/** No simulated market has a past before this, ms since the epoch. */
export const firstInstant = firstDay * dayMs;

/** Spread of the logarithm of a day's volume around what its volatility suggests. */
const volumeSpread = 0.25;
const percentDecimals = 1e4;
const quoteDecimals = 1e2;

export interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly volume: number;
}

export interface SimulatedPath {
  /** Quote units, on the pair's ticks. Instants are ms since the epoch. */
  priceAt(instant: number): number;
  /** The bar over `[from, to)`, `from < to`. */
  bar(from: number, to: number): Bar;
  /** The 24 hours up to and including `instant`. */
  dayFigures(instant: number): DayFigures;
}

/** A day of the path with its volume in whole steps of the pair. */
interface Day extends IntradayDay {
  readonly volumeSteps: number;
}

export function createSimulatedPath(seed: string, pair: ListedPair): SimulatedPath {
  const { price: anchor, dailyVolatilityPct, turnoverMillions } = pair.typical;
  const typicalVolatility = dailyVolatilityPct / 100;
  const daily = createDailyLayer(seed, pair.symbol, pair.type, typicalVolatility);
  const intradayKey = noiseKey(seed, pair.symbol, 'intraday');
  const volumeKey = noiseKey(seed, pair.symbol, 'volume');
  const ticks = createGrid(pair.tickSize);
  const steps = createGrid(pair.stepSize);
  const typicalVolume = (turnoverMillions * 1e6) / anchor;

  const priceOf = (level: number) => ticks.round(anchor * Math.exp(level));

  function dayAt(day: number): Day {
    const shape = daily.day(day);
    const activity = shape.volatility / typicalVolatility;
    const surprise = Math.exp(volumeSpread * bell(draw(volumeKey, day)));
    return {
      key: subKey(intradayKey, day),
      open: shape.open,
      close: shape.close,
      volatility: shape.volatility,
      volumeSteps: steps.steps(typicalVolume * activity * surprise),
    };
  }

  function priceAt(instant: number): number {
    const day = Math.floor(instant / dayMs);
    return priceOf(leafOf(dayAt(day), leafAt(instant - day * dayMs)).level);
  }

  /** Steps traded on the day before a moment of it. Whole numbers, so that sums over bars agree exactly. */
  function stepsBefore(day: Day, msOfDay: number): number {
    if (msOfDay >= dayMs) return day.volumeSteps;
    return Math.floor(day.volumeSteps * leafOf(day, leafAt(msOfDay)).elapsed);
  }

  /** Visits the part of each day that lies in `[from, to)`, in ms of that day. */
  function forEachDay(from: number, to: number, visit: (day: Day, start: number, end: number) => void): void {
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day += 1) {
      const midnight = day * dayMs;
      visit(dayAt(day), Math.max(from - midnight, 0), Math.min(to - midnight, dayMs));
    }
  }

  function volumeBetween(from: number, to: number): number {
    let traded = 0;
    forEachDay(from, to, (day, start, end) => {
      traded += stepsBefore(day, end) - stepsBefore(day, start);
    });
    return steps.of(traded);
  }

  function bar(from: number, to: number): Bar {
    return {
      open: priceAt(from),
      high: priceOf(highest(1, from, to)),
      low: priceOf(-highest(-1, from, to)),
      close: priceAt(to - 1),
      volume: volumeBetween(from, to),
    };
  }

  /** The greatest of `sign * level` over `[from, to)`. */
  function highest(sign: 1 | -1, from: number, to: number): number {
    const parts: { day: Day; first: number; last: number; promise: number }[] = [];
    forEachDay(from, to, (day, start, end) => {
      const promise = Math.max(sign * day.open, sign * day.close);
      parts.push({ day, first: leafAt(start), last: leafAt(end - 1), promise });
    });
    // The most promising day first: it sets a mark that most of the others cannot reach.
    parts.sort((left, right) => right.promise - left.promise);
    let best = -Infinity;
    for (const { day, first, last } of parts) best = extremeOf(day, sign, first, last, best);
    return best;
  }

  return { priceAt, bar, dayFigures };

  function dayFigures(instant: number): DayFigures {
    const from = instant - dayMs;
    const { open, high, low, close, volume } = bar(from, instant + 1);
    let quoteVolume = 0;
    for (let start = from; start < instant; start += hourMs) {
      quoteVolume += volumeBetween(start, start + hourMs) * priceAt(start + hourMs / 2);
    }
    return {
      priceChangePercent: Math.round((close / open - 1) * 100 * percentDecimals) / percentDecimals,
      volume,
      quoteVolume: Math.round(quoteVolume * quoteDecimals) / quoteDecimals,
      high,
      low,
    };
  }
}
