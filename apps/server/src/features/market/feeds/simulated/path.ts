/**
 * The whole simulated path of one pair: price and bars at any time since `firstInstant`. Nothing is stored: the daily
 * layers define where a day begins and ends, the intraday tree the path between, shocks the moves on top.
 * Invariants: the price of an instant is a leaf of the path, so it lies inside every bar that holds the instant; bars
 * of any timeframe are aggregates of the shorter ones, both volumes included, to the last digit.
 *
 * Volume is the day's, distributed by the tree's own measure and counted in whole steps. Quote volume is that volume at the
 * price at which its five minutes (UTC) opened: it adds up, uses no future price, and costs a day one walk of 288 prices
 * instead of 1,440 minutes. The average price that it implies lies inside every bar of five minutes and longer; that of a
 * single minute may lie outside, by the move of the price in five.
 *
 * Known limitation: there are no holidays or opening gaps in the path; honoured sessions cut out of it. Weekends are quiet
 * in it where the model has them.
 */
import { type BarPrices, dayMs, type Span, toNumber } from '@fulcrum/domain';
import type { ListedPair } from '../../catalogue/index.ts';
import { createGrid } from '../../grid.ts';
import type { Composition, Leg } from './composition.ts';
import { type DailyLayer, firstDay, ownLoading } from './daily.ts';
import { elapsedBefore, extremeOf, type IntradayDay, layOutDay, levelOf, type Swing } from './intraday.ts';
import { factors } from './loadings.ts';
import type { MarketModel } from './model.ts';
import { bell, type DayNoise } from './noise.ts';
import { blocksPerDay, leafAt, leavesPerBlock, leavesPerDay, rhythmOfDay } from './rhythm.ts';
import { type Move, moveAt, movesOfDay } from './shocks.ts';

/** No simulated market has a past before this, ms since the epoch. */
export const firstInstant = firstDay * dayMs;

/** Spread of the logarithm of a day's volume around what its volatility suggests. */
const volumeSpread = 0.25;
/** Computed days of a pair that are cached: the running one and those of a chart being drawn. */
const cachedDaysMax = 4;
/** Quote volume is in whole hundredths, in whole units where a day's turnover is so large that sums would lose them. */
const hundredthsUpToMillions = 10_000;

export interface PathBar extends BarPrices {
  /** Base units. */
  readonly volume: number;
  /** Quote units. */
  readonly quote_volume: number;
}

export interface SimulatedPath {
  /** Quote units, on the pair's ticks and within its bounds. Instants are ms since the epoch. */
  priceAt(instant: number): number;
  /** The same before it is put on the ticks. */
  exactPriceAt(instant: number): number;
  /** The bar over the spans, in order and none empty; null over no span. */
  bar(spans: readonly Span[]): PathBar | null;
  /** The combined `bar` of consecutive spans; null without any. */
  joined(bars: readonly PathBar[]): PathBar | null;
  /** To be called when the moves have changed. */
  forget(): void;
}

/** A day of the path. */
interface Day extends IntradayDay {
  /** Since 1970-01-01. */
  readonly number: number;
  /** The day's volume in whole steps of the pair. */
  readonly volumeSteps: number;
  /** By block and at the day's end: quote volume of the day before it. Computed on first use. */
  quoteBefore: Float64Array | null;
}

/** The part of a day that lies in a span, in ms of that day. */
interface Part {
  readonly day: Day;
  readonly from: number;
  readonly to: number;
}

interface PathOptions {
  readonly model: MarketModel;
  readonly pair: ListedPair & { readonly typical: NonNullable<ListedPair['typical']> };
  readonly composition: Composition;
  /** A factor on all prices. */
  readonly scale: number;
  /** What shocks add to the pair's logarithm; when the list has grown, the path is to `forget`. */
  readonly moves: readonly Move[];
}

export function createSimulatedPath(options: PathOptions): SimulatedPath {
  const { model, pair, composition, scale, moves } = options;
  const { noise, displacement, weekends } = model;
  const { typical } = pair;
  const anchor = composition.anchor * scale;
  const legs = composition.legs.map((leg) => createLeg(model, leg));
  const [leader] = legs;
  const ticks = createGrid(pair.tickSize);
  const steps = createGrid(pair.stepSize);
  const least = toNumber(pair.minPrice);
  const greatest = toNumber(pair.maxPrice);
  const typicalVolume = (typical.turnoverMillions * 1e6) / typical.price;
  const quoteScale = typical.turnoverMillions <= hundredthsUpToMillions ? 100 : 1;
  const recent: (Day | undefined)[] = [];

  const exactPriceOf = (level: number) => anchor * Math.exp(level);
  const priceOf = (level: number) => Math.max(least, Math.min(greatest, ticks.round(exactPriceOf(level))));

  function dayAt(number: number): Day {
    const cached = recent[number % cachedDaysMax];
    if (cached?.number === number) return cached;
    const day = layOut(number);
    recent[number % cachedDaysMax] = day;
    return day;
  }

  function layOut(number: number): Day {
    const { settled, moves: movesInDay } = movesOfDay(moves, number);
    let open = settled;
    let close = settled;
    const swings: Swing[] = [];
    for (const leg of legs) {
      const shape = leg.layer.day(number);
      open += leg.weight * shape.open;
      close += leg.weight * shape.close;
      swings.push({
        amplitude: leg.weight * shape.volatility,
        shared: leg.shared.map((stream) => ofDay(stream, number)),
        own: ofDay(leg.own, number),
      });
    }
    const rhythm = rhythmOfDay(composition.rhythm, number, weekends);
    const clock = noise.clock(composition.clock, number);
    const volume = noise.volume(pair.symbol, composition.clock, number);
    const surprise = Math.exp(volumeSpread * bell(volume.surprise));
    const activity = (leader?.layer.activity(number) ?? 1) * rhythm.variance;
    return {
      ...layOutDay({ displacement, rhythm, clock, volume, swings, open, close, moves: movesInDay }),
      number,
      volumeSteps: steps.floorToSteps(typicalVolume * activity * surprise),
      quoteBefore: null,
    };
  }

  function levelAt(instant: number): number {
    const number = Math.floor(instant / dayMs);
    return levelOf(dayAt(number), leafAt(instant - number * dayMs));
  }

  function partsOf(spans: readonly Span[]): Part[] {
    const parts: Part[] = [];
    for (const { from, to } of spans) {
      for (let number = Math.floor(from / dayMs); number * dayMs < to; number += 1) {
        const midnight = number * dayMs;
        parts.push({
          day: dayAt(number),
          from: Math.max(from - midnight, 0),
          to: Math.min(to - midnight, dayMs),
        });
      }
    }
    return parts;
  }

  /** The greatest of `sign * level` over the parts. */
  function highest(sign: 1 | -1, parts: readonly Part[]): number {
    const stretches: { day: Day; first: number; last: number; promise: number }[] = [];
    for (const { day, from, to } of parts) {
      const promise = Math.max(sign * day.open, sign * day.close);
      for (const [first, last] of unbroken(day.moves, leafAt(from), leafAt(to - 1)))
        stretches.push({ day, first, last, promise });
    }
    // The most promising day first: it sets a mark that most of the others cannot reach.
    stretches.sort((left, right) => right.promise - left.promise);
    let best = -Infinity;
    for (const { day, first, last } of stretches) best = extremeOf(day, sign, first, last, best);
    return best;
  }

  /** Steps traded on the day before a leaf of it. Whole numbers, so that sums over bars agree exactly. */
  const stepsBefore = (day: Day, elapsed: number) => Math.floor(day.volumeSteps * elapsed);

  function layOutQuotes(day: Day): Float64Array {
    const before = new Float64Array(blocksPerDay + 1);
    let sum = 0;
    let traded = 0;
    for (let block = 0; block < blocksPerDay; block += 1) {
      const tradedThen = stepsBefore(day, day.elapsed[block + 1] ?? 1);
      sum += blockPrice(day, block) * steps.fromSteps(tradedThen - traded);
      before[block + 1] = sum;
      traded = tradedThen;
    }
    return before;
  }

  /** What a block opens at. */
  function blockPrice(day: Day, block: number): number {
    const move = day.moves.length === 0 ? 0 : moveAt(day.moves, block * leavesPerBlock);
    return priceOf((day.levels[block] ?? 0) + move);
  }

  /** Steps, and whole hundredths or units of the quote, traded on the day before a moment of it. */
  function tradedBefore(day: Day, msOfDay: number): { readonly inSteps: number; readonly inQuote: number } {
    day.quoteBefore ??= layOutQuotes(day);
    const leaf = leafAt(msOfDay);
    if (leaf >= leavesPerDay) {
      return {
        inSteps: day.volumeSteps,
        inQuote: Math.round((day.quoteBefore[blocksPerDay] ?? 0) * quoteScale),
      };
    }
    const inSteps = stepsBefore(day, elapsedBefore(day, leaf));
    const block = Math.floor(leaf / leavesPerBlock);
    let quote = day.quoteBefore[block] ?? 0;
    if (leaf > block * leavesPerBlock) {
      const inBlock = inSteps - stepsBefore(day, day.elapsed[block] ?? 0);
      quote += blockPrice(day, block) * steps.fromSteps(inBlock);
    }
    return { inSteps, inQuote: Math.round(quote * quoteScale) };
  }

  return {
    priceAt: (instant) => priceOf(levelAt(instant)),
    exactPriceAt: (instant) => exactPriceOf(levelAt(instant)),
    bar(spans) {
      const first = spans[0];
      const last = spans.at(-1);
      if (!first || !last) return null;
      const parts = partsOf(spans);
      let tradedSteps = 0;
      let tradedQuote = 0;
      for (const { day, from, to } of parts) {
        const before = from === 0 ? { inSteps: 0, inQuote: 0 } : tradedBefore(day, from);
        const { inSteps, inQuote } = tradedBefore(day, to);
        tradedSteps += inSteps - before.inSteps;
        tradedQuote += inQuote - before.inQuote;
      }
      return {
        open: priceOf(levelAt(first.from)),
        high: priceOf(highest(1, parts)),
        low: priceOf(-highest(-1, parts)),
        close: priceOf(levelAt(last.to - 1)),
        volume: steps.fromSteps(tradedSteps),
        quote_volume: tradedQuote / quoteScale,
      };
    },
    joined(bars) {
      const first = bars[0];
      const last = bars.at(-1);
      if (!first || !last) return null;
      let { high, low } = first;
      let tradedSteps = 0;
      let tradedQuote = 0;
      for (const bar of bars) {
        if (bar.high > high) high = bar.high;
        if (bar.low < low) low = bar.low;
        // In whole numbers, whose sums are exact in any order.
        tradedSteps += steps.toSteps(bar.volume);
        tradedQuote += Math.round(bar.quote_volume * quoteScale);
      }
      return {
        open: first.open,
        high,
        low,
        close: last.close,
        volume: steps.fromSteps(tradedSteps),
        quote_volume: tradedQuote / quoteScale,
      };
    },
    forget() {
      recent.length = 0;
    },
  };
}

/** The displacements within the days that a leg follows, and how strongly. */
interface Stream {
  readonly of: (day: number) => DayNoise;
  readonly loading: number;
}

interface DrawnLeg {
  readonly weight: number;
  readonly layer: DailyLayer;
  readonly shared: readonly Stream[];
  readonly own: Stream;
}

function createLeg({ noise, layers }: MarketModel, { path, weight }: Leg): DrawnLeg {
  const shared = factors.flatMap((factor) => {
    const loading = path.loadings[factor];
    return loading === undefined ? [] : [{ of: (day: number) => noise.factor(factor, day), loading }];
  });
  const own = { of: (day: number) => noise.path(path.name, day), loading: ownLoading(path) };
  return { weight, layer: layers.of(path), shared, own };
}

const ofDay = ({ of, loading }: Stream, day: number) => ({ draws: of(day), loading });

/** The leaves from `first` to `last`, cut where a move begins. */
function unbroken(
  moves: readonly Move[],
  first: number,
  last: number,
): readonly (readonly [number, number])[] {
  if (moves.length === 0) return [[first, last]];
  const cuts = new Set(moves.map(({ from }) => from).filter((from) => from > first && from <= last));
  const starts = [first, ...[...cuts].sort((left, right) => left - right)];
  return starts.map((start, index) => [start, (starts[index + 1] ?? last + 1) - 1] as const);
}
