/**
 * The whole simulated path of one symbol: price, bars and day figures at any time since `firstInstant`. Nothing is
 * stored: the daily layer says where a day begins and ends, the intraday tree what lies between.
 * Invariants: the price of an instant is a leaf of the path, so it lies inside every bar that holds the instant; bars
 * of any timeframe are aggregates of the shorter ones, volumes included.
 * Known limitations: symbols move independently of each other; there are no weekends, holidays or opening gaps in the
 * path.
 */

import { dayMs, hourMs, type Span } from '@fulcrum/domain';
import type { ListedPair } from '../../catalogue.ts';
import type { DayFigures } from '../../feed.ts';
import { createGrid } from '../../grid.ts';
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
  /** The bar over the spans, in order and none empty; null over no span. */
  bar(spans: readonly Span[]): Bar | null;
  /** The figures of a day's spans. */
  dayFigures(spans: readonly Span[]): DayFigures;
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

  /** Visits the part of each day that lies in the span, in ms of that day. */
  function forEachDay({ from, to }: Span, visit: (day: Day, start: number, end: number) => void): void {
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day += 1) {
      const midnight = day * dayMs;
      visit(dayAt(day), Math.max(from - midnight, 0), Math.min(to - midnight, dayMs));
    }
  }

  function volumeOf(spans: readonly Span[]): number {
    let traded = 0;
    for (const span of spans) {
      forEachDay(span, (day, start, end) => {
        traded += stepsBefore(day, end) - stepsBefore(day, start);
      });
    }
    return steps.of(traded);
  }

  function bar(spans: readonly Span[]): Bar | null {
    const first = spans[0];
    const last = spans.at(-1);
    if (!first || !last) return null;
    return {
      open: priceAt(first.from),
      high: priceOf(highest(1, spans)),
      low: priceOf(-highest(-1, spans)),
      close: priceAt(last.to - 1),
      volume: volumeOf(spans),
    };
  }

  /** The greatest of `sign * level` over the spans. */
  function highest(sign: 1 | -1, spans: readonly Span[]): number {
    const parts: { day: Day; first: number; last: number; promise: number }[] = [];
    for (const span of spans) {
      forEachDay(span, (day, start, end) => {
        const promise = Math.max(sign * day.open, sign * day.close);
        parts.push({ day, first: leafAt(start), last: leafAt(end - 1), promise });
      });
    }
    // The most promising day first: it sets a mark that most of the others cannot reach.
    parts.sort((left, right) => right.promise - left.promise);
    let best = -Infinity;
    for (const { day, first, last } of parts) best = extremeOf(day, sign, first, last, best);
    return best;
  }

  function dayFigures(spans: readonly Span[]): DayFigures {
    const whole = bar(spans);
    if (!whole) return { priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };
    let quoteVolume = 0;
    for (const span of spans) {
      for (let from = span.from; from < span.to; from += hourMs) {
        const hour = { from, to: Math.min(from + hourMs, span.to) };
        quoteVolume += volumeOf([hour]) * priceAt(Math.floor((hour.from + hour.to) / 2));
      }
    }
    return {
      priceChangePercent:
        Math.round((whole.close / whole.open - 1) * 100 * percentDecimals) / percentDecimals,
      volume: whole.volume,
      quoteVolume: Math.round(quoteVolume * quoteDecimals) / quoteDecimals,
      high: whole.high,
      low: whole.low,
    };
  }

  return { priceAt, bar, dayFigures };
}
