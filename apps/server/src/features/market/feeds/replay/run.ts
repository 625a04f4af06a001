/**
 * A replay in recorded time, without timers: how far it is, and what each symbol shows there. Recordings of different
 * days run side by side by time of day: time counts from the first midnight of each.
 * Invariants: ticks of a symbol come in the order of their market time; before its first candle a symbol has no price;
 * in a gap it keeps the last one; behind its last candle its market is shut.
 */
import { ALWAYS_OPEN, barStart, dayMs, minuteMs, type Timeframe } from '@fulcrum/domain';
import type { Bar, CandleQuery, DayFigures, FeedTick } from '../../feed.ts';
import type { RecordedCandle, Recording } from './recording.ts';
import { priceWithin, walkedUntil, waypointsOf } from './walk.ts';

export interface ReplayRun {
  /**
   * Moves on by so many recorded ms and returns what happened on the way, ending with the present price of each symbol.
   * At the end a looping run starts over; any other stays there.
   */
  advance(recordedMs: number): FeedTick[];
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Bar[];
  has(symbol: string): boolean;
}

const percentDecimals = 1e4;
const volumeDecimals = 1e8;

export function createReplayRun(recordings: readonly Recording[], options: { loop: boolean }): ReplayRun {
  const begin = Math.min(...recordings.map((recording) => firstOpen(recording) - recording.midnight));
  const end = Math.max(...recordings.map((recording) => closing(recording) - recording.midnight));
  const recordingOf = new Map(recordings.map((recording) => [recording.symbol, recording]));
  /** Recorded ms since midnight; everything up to and including it has happened. */
  let position = begin - 1;
  const started = new Set<string>();

  return {
    advance(recordedMs) {
      if (position >= end && options.loop) {
        position = begin - 1;
        started.clear();
      }
      const from = position;
      position = Math.min(position + recordedMs, end);
      return recordings.flatMap((recording) => {
        const ticks = happenings(recording, recording.midnight + from, recording.midnight + position);
        const [first, ...rest] = ticks;
        if (!first || started.has(recording.symbol)) return ticks;
        started.add(recording.symbol);
        return [{ ...first, breaks: true }, ...rest];
      });
    },
    has: (symbol) => recordingOf.has(symbol),
    candles(symbol, timeframe, query) {
      const recording = recordingOf.get(symbol);
      return recording ? barsUntil(recording, recording.midnight + position, timeframe, query) : [];
    },
  };
}

const firstOpen = ({ candles, midnight }: Recording): number => candles[0]?.openTime ?? midnight;
/** The instant at which the last candle is over. */
const closing = ({ candles, midnight }: Recording): number =>
  (candles.at(-1)?.openTime ?? midnight) + minuteMs;

/** Index of the last candle that opened at or before an instant; -1 when none did. */
function lastOpened({ candles }: Recording, instant: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle]?.openTime ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The turning points in `(from, to]`, then the price at `to` with the day's figures. */
function happenings(recording: Recording, from: number, to: number): FeedTick[] {
  const { symbol, candles } = recording;
  const present = lastOpened(recording, to);
  const candle = candles[present];
  if (!candle) return [];
  const passed: FeedTick[] = [];
  for (let index = Math.max(lastOpened(recording, from), 0); index <= present; index += 1) {
    const walked = candles[index];
    if (!walked) continue;
    for (const { at, price } of waypointsOf(walked)) {
      const marketTime = walked.openTime + at;
      if (marketTime > from && marketTime < to) passed.push({ symbol, source: 'replay', price, marketTime });
    }
  }
  return [
    ...passed,
    {
      symbol,
      source: 'replay',
      price: priceWithin(candle, to - candle.openTime, recording.ticks),
      marketTime: to,
      marketOpen: to < closing(recording),
      day: dayFigures(recording, present, to),
    },
  ];
}

/** Over the recorded part of the last 24 hours; the change counts from the oldest open in it. */
function dayFigures(recording: Recording, present: number, now: number): DayFigures {
  const { candles, ticks } = recording;
  let reference = Number.NaN;
  let high = -Infinity;
  let low = Infinity;
  let volume = 0;
  let quoteVolume = 0;
  let last = Number.NaN;
  for (let index = lastOpened(recording, now - dayMs) + 1; index <= present; index += 1) {
    const recorded = candles[index];
    if (!recorded) continue;
    const candle = index === present ? walkedUntil(recorded, now - recorded.openTime, ticks) : recorded;
    if (Number.isNaN(reference)) reference = candle.open;
    high = Math.max(high, candle.high);
    low = Math.min(low, candle.low);
    volume += candle.volume;
    quoteVolume += (candle.volume * (candle.high + candle.low + candle.close)) / 3;
    last = candle.close;
  }
  if (Number.isNaN(reference)) {
    return { priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };
  }
  return {
    priceChangePercent: Math.round((last / reference - 1) * 100 * percentDecimals) / percentDecimals,
    volume: Math.round(volume * volumeDecimals) / volumeDecimals,
    quoteVolume: Math.round(quoteVolume * volumeDecimals) / volumeDecimals,
    high,
    low,
  };
}

/** Bars out of the candles walked so far, the newest ones, oldest first. */
function barsUntil(
  recording: Recording,
  now: number,
  timeframe: Timeframe,
  { limit, before }: CandleQuery,
): Bar[] {
  const present = lastOpened(recording, now);
  const { tradingHours } = recording;
  // Of the bars that opened before the bound, the newest is the one that holds the last ms before it.
  const newest = before === null ? Infinity : barStart(timeframe, before - 1, ALWAYS_OPEN);
  const newestFirst: { start: number; candle: RecordedCandle }[] = [];
  for (let index = present; index >= 0; index -= 1) {
    const recorded = recording.candles[index];
    if (!recorded) continue;
    const start = barStart(timeframe, recorded.openTime, tradingHours);
    if (start > newest) continue;
    const candle =
      index === present ? walkedUntil(recorded, now - recorded.openTime, recording.ticks) : recorded;
    const bar = newestFirst.at(-1);
    if (bar && start === bar.start) {
      bar.candle = joined(candle, bar.candle);
      continue;
    }
    if (newestFirst.length >= limit) break;
    newestFirst.push({ start, candle });
  }
  return newestFirst.reverse().map(({ start, candle: { open, high, low, close, volume } }) => ({
    open_time: new Date(start).toISOString(),
    open,
    high,
    low,
    close,
    volume,
    quote_volume: Math.round(((volume * (high + low + close)) / 3) * volumeDecimals) / volumeDecimals,
  }));
}

const joined = (earlier: RecordedCandle, later: RecordedCandle): RecordedCandle => ({
  openTime: earlier.openTime,
  open: earlier.open,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
  volume: Math.round((earlier.volume + later.volume) * volumeDecimals) / volumeDecimals,
});
