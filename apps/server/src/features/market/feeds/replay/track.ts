/**
 * One symbol of a replay: its next tick, and its price at an instant. Invariants: before its first candle it has no price;
 * its market is closed at the last price in a long gap of its recording, after its last candle, while it waits at a jump, and
 * once it was removed.
 */
import { minuteMs, type Timeframe } from '@fulcrum/domain';
import type { Bar, CandleQuery, FeedTick } from '../../feed.ts';
import { createRecordedBars } from './bars.ts';
import { createDayFigures } from './day-figures.ts';
import { lastOpened, type Recording } from './recording.ts';
import { closesAfter, type Timeline } from './timeline.ts';
import { getWalkPoints, priceWithin } from './walk.ts';

/** A move beyond the bound of the guard (A106): a split, a wrong print, a hole in the recording. */
export interface Jump {
  readonly symbol: string;
  /** The market's own time at which the new price was there, ms since the epoch. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The tick of a symbol at an instant. */
export interface TrackEvent {
  /** Played ms. */
  readonly at: number;
  readonly tick: FeedTick;
  readonly jump: Jump | null;
}

export type Track = ReturnType<typeof createTrack>;

export function createTrack(recording: Recording, timeline: Timeline) {
  const { symbol, candles, midnight } = recording;
  const bars = createRecordedBars(recording);
  const dayFigures = createDayFigures(recording);
  let index = 0;
  /** Of the candle at the index. */
  let events: readonly TrackEvent[] = [];
  let at = 0;
  let endedAt = Number.POSITIVE_INFINITY;

  const marketTimeOf = (played: number): number => midnight + timeline.recordedAt(played);

  function read(candle: number): void {
    index = candle;
    events = getTrackEvents(recording, index, timeline);
    at = 0;
  }
  read(0);
  /** The next tick has been emitted. */
  function advance(): void {
    at += 1;
    if (at >= events.length && index < candles.length) read(index + 1);
  }

  return {
    symbol,
    /** What comes next; null behind the end. */
    next: (): TrackEvent | null => (endedAt === Number.POSITIVE_INFINITY ? (events[at] ?? null) : null),
    advance,
    /** Goes on with the first candle that opens at or after this played instant. */
    seek: (played: number): void => read(lastOpened(recording, marketTimeOf(played) - 1) + 1),
    /** Goes on behind this played instant, within its candle. */
    goOn(played: number): void {
      read(Math.max(lastOpened(recording, marketTimeOf(played)), 0));
      for (let next = events[at]; next && next.at <= played; next = events[at]) advance();
    },
    /** What it shows; null before its first candle. */
    present(played: number, waits: boolean): FeedTick | null {
      const now = marketTimeOf(played);
      const shown = marketTimeOf(Math.min(played, endedAt));
      const opened = lastOpened(recording, shown);
      const candle = candles[opened];
      if (!candle) return null;
      const isClosed = shown >= candle.openTime + minuteMs && closesAfter(recording, opened);
      return {
        symbol,
        source: 'replay',
        price: priceWithin(candle, shown - candle.openTime, recording),
        marketTime: now,
        marketOpen: !isClosed && !waits && endedAt === Number.POSITIVE_INFINITY,
        ...(waits && { held: true }),
        day: dayFigures(opened, shown),
      };
    },
    candles: (played: number, timeframe: Timeframe, query: CandleQuery): Bar[] =>
      bars.at(marketTimeOf(Math.min(played, endedAt)), timeframe, query),
    /** Its market ends at this played instant, for good. */
    endAt(played: number): void {
      endedAt = Math.min(endedAt, played);
    },
  };
}

function getTrackEvents(recording: Recording, index: number, timeline: Timeline): TrackEvent[] {
  const { symbol, candles, midnight } = recording;
  const candle = candles[index];
  if (!candle) return [];
  const { openTime, close } = candle;
  const opensAt = timeline.playedAt(openTime - midnight);
  const events = getWalkPoints(candle, candles[index - 1], recording).map(
    ({ at, price, jumpsFrom }): TrackEvent => {
      const tick: FeedTick = { symbol, source: 'replay', price, marketTime: openTime + at };
      if (jumpsFrom === null) return { at: opensAt + at, tick, jump: null };
      const jump = { symbol, at: openTime + at, from: jumpsFrom, to: price };
      return { at: opensAt + at, tick: { ...tick, breaks: true }, jump };
    },
  );
  if (!closesAfter(recording, index)) return events;
  const marketTime = openTime + minuteMs;
  const closingTick: FeedTick = { symbol, source: 'replay', price: close, marketTime, marketOpen: false };
  return [...events, { at: opensAt + minuteMs, tick: closingTick, jump: null }];
}
