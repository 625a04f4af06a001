/**
 * A replay in recorded time, without timers: how far it is, and what each symbol shows there. Recordings of different
 * days run side by side by time of day: time counts from the first midnight of each, over as many days as there are.
 * Invariants: ticks come in the order of recorded time over all symbols, however far one step goes; before its first
 * candle a symbol has no price; in a gap it keeps the last one; behind its last candle its market is shut.
 */
import { minuteMs, type Timeframe } from '@fulcrum/domain';
import type { Bar, CandleQuery, FeedTick } from '../../feed.ts';
import { createRecordedBars, type RecordedBars } from './bars.ts';
import { createDayFigures, type RecordedDayFigures } from './day-figures.ts';
import { lastOpened, type Recording } from './recording.ts';
import { priceWithin, waypointsOf } from './walk.ts';

export interface ReplayRun {
  /**
   * Moves on by so many recorded ms and returns what happened on the way, ending with the present price of each symbol.
   * At the end a looping run starts over; any other stays there. A step of 0 tells the present prices again.
   */
  advance(recordedMs: number): FeedTick[];
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Bar[];
  has(symbol: string): boolean;
  /** Recorded ms since the first midnight, up to and including which everything has happened. */
  position(): number;
  /** Where the first candle begins and the last one ends, in the same measure. */
  readonly begin: number;
  readonly end: number;
}

interface Track {
  readonly recording: Recording;
  readonly bars: RecordedBars;
  readonly dayFigures: RecordedDayFigures;
  hasStarted: boolean;
}

export function createReplayRun(recordings: readonly Recording[], options: { loop: boolean }): ReplayRun {
  const begin = Math.min(...recordings.map((recording) => firstOpen(recording) - recording.midnight));
  const end = Math.max(...recordings.map((recording) => closing(recording) - recording.midnight));
  const tracks = new Map<string, Track>(
    recordings.map((recording) => [
      recording.symbol,
      {
        recording,
        bars: createRecordedBars(recording),
        dayFigures: createDayFigures(recording),
        hasStarted: false,
      },
    ]),
  );
  let position = begin - 1;

  return {
    begin,
    end,
    position: () => position,
    advance(recordedMs) {
      if (position >= end && options.loop && recordedMs > 0) {
        position = begin - 1;
        for (const track of tracks.values()) track.hasStarted = false;
      }
      const from = position;
      position = Math.min(position + recordedMs, end);
      const moments = [...tracks.values()].flatMap((track) => {
        const { midnight } = track.recording;
        return happenings(track, midnight + from, midnight + position).map((tick) => {
          const breaks = !track.hasStarted;
          track.hasStarted = true;
          return { at: tick.marketTime - midnight, tick: breaks ? { ...tick, breaks } : tick };
        });
      });
      return moments.sort((left, right) => left.at - right.at).map(({ tick }) => tick);
    },
    has: (symbol) => tracks.has(symbol),
    candles(symbol, timeframe, query) {
      const track = tracks.get(symbol);
      return track?.bars.at(track.recording.midnight + position, timeframe, query) ?? [];
    },
  };
}

const firstOpen = ({ candles, midnight }: Recording): number => candles[0]?.openTime ?? midnight;
/** The instant at which the last candle is over. */
const closing = ({ candles, midnight }: Recording): number =>
  (candles.at(-1)?.openTime ?? midnight) + minuteMs;

/** The turning points in `(from, to)`, then the price at `to` with the day's figures. */
function happenings({ recording, dayFigures }: Track, from: number, to: number): FeedTick[] {
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
      day: dayFigures(present, to),
    },
  ];
}
