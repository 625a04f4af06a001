/**
 * Candles at Binance's intervals, of the bars that a visitor reads: those that we do not have are put together of shorter ones, whole
 * ones only. With a start the oldest from it on, else the newest. Invariant: what is answered from a start on has no bar missing in
 * its middle, so a client that goes on after the last one gets all of them.
 */
import type { Candle } from '@fulcrum/contract';
import { type BarPrices, dayMs, nextBar, type Timeframe, type TradingPair } from '@fulcrum/domain';
import { ExchangeError } from '../errors.ts';
import { marketsBegin } from './exchange-info.ts';
import { priceTextOf, valueText, volumeText } from './figures.ts';

interface Interval {
  readonly base: Timeframe;
  /** Bars of the base in one. */
  readonly count: number;
  /** The shortest that one lasts. */
  readonly length: number;
}

const lengthOf = (base: Timeframe): number => (base === '1M' ? 28 * dayMs : nextBar(base, 0));
const of = (base: Timeframe, count = 1): Interval => ({ base, count, length: count * lengthOf(base) });
/** Without `1s`, which no market here has. */
const intervals: ReadonlyMap<string, Interval> = new Map([
  ['1m', of('1m')],
  ['3m', of('1m', 3)],
  ['5m', of('5m')],
  ['15m', of('15m')],
  ['30m', of('30m')],
  ['1h', of('1h')],
  ['2h', of('1h', 2)],
  ['4h', of('4h')],
  ['6h', of('1h', 6)],
  ['8h', of('4h', 2)],
  ['12h', of('4h', 3)],
  ['1d', of('1d')],
  ['3d', of('1d', 3)],
  ['1w', of('1w')],
  ['1M', of('1M')],
]);

/** Whether candles have this interval. */
export const isKlineInterval = (name: string): boolean => intervals.has(name);

/** Of the base in one read: the longest answer of three in one. Of six in one an answer has half as many bars. */
const baseBarsMax = 4_503;
/** Reads of bars for one answer; it may then be shorter than it was asked for. */
const readsMax = 12;

interface Bar extends BarPrices {
  readonly openTime: number;
  readonly volume: number;
  readonly quoteVolume: number;
}

/** The newest bars of a timeframe that opened before the instant (null: any), the oldest first. */
export type ReadCandles = (timeframe: Timeframe, limit: number, before: number | null) => Promise<Candle[]>;
type ReadBars = (limit: number, before: number | null) => Promise<readonly Bar[]>;

export interface KlinesQuery {
  readonly interval: string;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
}

/** @throws ExchangeError -1120; what `read` throws */
export async function readKlines(
  read: ReadCandles,
  { interval: name, startTime, endTime, limit }: KlinesQuery,
  now: number,
): Promise<readonly Kline[]> {
  const interval = intervals.get(name);
  if (!interval) throw new ExchangeError(400, -1120, 'Invalid interval.');
  const readBars = barsOf(read, interval);
  const bars =
    startTime === undefined
      ? await readBars(limit, endTime === undefined ? null : endTime + 1)
      : await readFrom(readBars, interval.length, {
          start: Math.max(startTime, marketsBegin),
          end: Math.min(endTime ?? now, now) + 1,
          limit,
        });
  return bars.map((bar) => ({ ...bar, closeTime: nextOpen(interval, bar.openTime) - 1 }));
}

const nextOpen = ({ base, count, length }: Interval, openTime: number): number =>
  count === 1 ? nextBar(base, openTime) : openTime + length;

function barsOf(read: ReadCandles, { base, count, length }: Interval): ReadBars {
  if (count === 1) return async (limit, before) => (await read(base, limit, before)).map(toBar);
  return async (limit, before) => {
    const required = Math.min((limit + 1) * count, baseBarsMax);
    const end = before === null ? null : Math.ceil(before / length) * length;
    const parts = (await read(base, required, end)).map(toBar);
    const groups = Map.groupBy(parts, ({ openTime }) => Math.floor(openTime / length) * length);
    const whole = [...groups].map(([openTime, bars]) => ({ ...joinBars(bars), openTime }));
    // Of the first one, parts may not have been read.
    return (parts.length < required ? whole : whole.slice(1)).slice(-limit);
  };
}

const toBar = ({ open_time, quote_volume, open, high, low, close, volume }: Candle): Bar => ({
  openTime: Date.parse(open_time),
  ...{ open, high, low, close, volume },
  quoteVolume: quote_volume,
});

/** Of at least one, the oldest first. */
function joinBars(bars: readonly Bar[]): Bar {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) throw new Error('a bar has parts');
  const sum = (figureOf: (bar: Bar) => number) => bars.reduce((total, bar) => total + figureOf(bar), 0);
  return {
    openTime: first.openTime,
    open: first.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: last.close,
    volume: sum(({ volume }) => volume),
    quoteVolume: sum(({ quoteVolume }) => quoteVolume),
  };
}

interface PageQuery {
  readonly start: number;
  /** Not part of it. */
  readonly end: number;
  readonly limit: number;
}

/**
 * The first bars from `start` on. Bars are read backwards from an instant, and markets have hours, so the window is widened by how
 * densely the last one was filled, and narrowed where it may hold more than was read.
 */
async function readFrom(
  read: ReadBars,
  length: number,
  { start, end, limit }: PageQuery,
): Promise<readonly Bar[]> {
  const found: Bar[] = [];
  let from = start;
  let stretch = 1;
  for (let reads = 0; reads < readsMax && from < end && found.length < limit; reads += 1) {
    const missing = limit - found.length;
    const to = Math.min(end, from + Math.ceil(missing * length * stretch));
    const within = (await read(missing, to)).filter(({ openTime }) => openTime >= from && openTime < to);
    const held = (to - from) / length;
    if (within.length === missing && held > missing) {
      stretch = Math.max(1, stretch / 2);
    } else if (within.length === 0) {
      from = await skipEmpty(read, { from: to, end, width: limit * length });
    } else {
      found.push(...within);
      stretch = Math.max(1, held / within.length);
      from = to;
    }
  }
  return found;
}

/** The beginning of a stretch of at most `width` in which there is a bar; `end` without any. */
async function skipEmpty(
  read: ReadBars,
  { from, end, width }: { readonly from: number; readonly end: number; readonly width: number },
): Promise<number> {
  const hasBar = async (low: number, high: number) =>
    (await read(1, high)).some(({ openTime }) => openTime >= low);
  let [low, step] = [from, width];
  while (low < end) {
    let high = Math.min(end, low + step);
    if (!(await hasBar(low, high))) {
      low = high;
      step *= 2;
      continue;
    }
    while (high - low > width) {
      const middle = Math.ceil((low + high) / 2);
      if (await hasBar(low, middle)) high = middle;
      else low = middle;
    }
    return low;
  }
  return end;
}

export interface Kline extends Bar {
  readonly closeTime: number;
}

type Row = [number, string, string, string, string, string, number, string, number, string, string, '0'];

export const toKline = (bar: Kline, pair: TradingPair): Row => [
  bar.openTime,
  priceTextOf(bar.open, pair),
  priceTextOf(bar.high, pair),
  priceTextOf(bar.low, pair),
  priceTextOf(bar.close, pair),
  volumeText(bar.volume, pair),
  bar.closeTime,
  valueText(bar.quoteVolume),
  0,
  '0',
  '0',
  '0',
];

/** Of a price that nobody trades at. */
export const toIndexKline = (bar: Kline, pair: TradingPair): Row =>
  toKline({ ...bar, volume: 0, quoteVolume: 0 }, pair);

/** Of the premium, which is zero. */
export const toPremiumKline = (bar: Kline, pair: TradingPair): Row =>
  toIndexKline({ ...bar, open: 0, high: 0, low: 0, close: 0 }, pair);
