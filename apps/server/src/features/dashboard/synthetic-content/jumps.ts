/**
 * Finds jumps: within one hour of the clock a market moves from the hour's first price by far more than it usually does.
 * Invariant: a found jump never changes, because it is dated to the minute (or the bar) in which it was reached, not to the
 * hour's end.
 * Known limitation: a move that came back within one bar is found only where the bar's minutes are known.
 */
import { hourMs, type MarketType } from '@fulcrum/domain';
import { barsWithin, changeOver, type HistoryBar, type PriceHistory } from './price-history.ts';

export interface Jump {
  /** When it had come so far, ms since the epoch; never before its hour and never after its hour's end. */
  readonly at: number;
  /** From the hour's first price, in per cent. */
  readonly percent: number;
  readonly price: number;
}

/** The smallest notable move of this type of market, in per cent of an hour. */
const percentMin: Readonly<Record<MarketType, number>> = {
  crypto: 2,
  stock: 1.5,
  commodity: 1.2,
  index: 0.9,
  forex: 0.45,
};
const timesUsual = 5;
const usualHours = 48;
/** With fewer hours that moved, the usual move is unknown. */
const hoursMin = 12;

/** From how many per cent of an hour on it is a jump. */
export function getJumpThreshold(history: PriceHistory, type: MarketType, now: number): number {
  const newest = now - (now % hourMs);
  const moves: number[] = [];
  for (let back = 0; back < usualHours; back += 1) {
    const move = changeOver(history, newest - back * hourMs, hourMs);
    if (move !== null && move !== 0) moves.push(Math.abs(move));
  }
  if (moves.length < hoursMin) return percentMin[type];
  const usual = moves.sort((left, right) => left - right)[moves.length >> 1] ?? 0;
  return Math.max(percentMin[type], timesUsual * usual);
}

export interface JumpQuery {
  readonly history: PriceHistory;
  /** In per cent. */
  readonly threshold: number;
  readonly now: number;
  readonly spanMs: number;
  /** The minutes of the bar that began at `from`, where they are known. */
  readonly minutesOf: (from: number) => PriceHistory | undefined;
}

/** Bars that may contain a jump, oldest first: their minutes date it. */
export function barsToLookInto({
  history,
  threshold,
  now,
  spanMs,
}: Omit<JumpQuery, 'minutesOf'>): PriceHistory {
  return hoursOf(history, now, spanMs).flatMap(({ open, bars }) =>
    bars.filter((bar) => Math.max(bar.high / open - 1, 1 - bar.low / open) * 100 >= threshold),
  );
}

/** Oldest first. */
export function findJumps({ history, threshold, now, spanMs, minutesOf }: JumpQuery): Jump[] {
  return hoursOf(history, now, spanMs).flatMap(({ open, bars }) => {
    const jumps: Jump[] = [];
    let reported = 0;
    for (const bar of bars) {
      for (const { from, to, close } of partsOf(bar, minutesOf(bar.from))) {
        const percent = (close / open - 1) * 100;
        // A return to the beginning of the hour is no jump of its own.
        if (Math.abs(percent) < threshold || Math.abs(percent - reported) < threshold) continue;
        reported = percent;
        jumps.push({ at: to <= now ? to : from, percent, price: close });
      }
    }
    return jumps;
  });
}

/** The minutes of a bar, and what of it they do not reach: they may have been read before it went on. */
function partsOf(bar: HistoryBar, minutes: PriceHistory = []): PriceHistory {
  const last = minutes.at(-1);
  if (!last) return [bar];
  return last.to < bar.to ? [...minutes, { ...bar, from: last.to }] : minutes;
}

interface Hour {
  readonly open: number;
  readonly bars: HistoryBar[];
}

function hoursOf(history: PriceHistory, now: number, spanMs: number): readonly Hour[] {
  const hours = new Map<number, Hour>();
  const running = history.at(-1);
  const finished = barsWithin(history, now, spanMs);
  const bars = running && running.to > now ? [...finished, running] : finished;
  for (const bar of bars) {
    const start = bar.from - (bar.from % hourMs);
    const hour = hours.get(start);
    if (hour) hour.bars.push(bar);
    // An hour whose beginning is missing has no first price.
    else if (bar.from === start) hours.set(start, { open: bar.open, bars: [bar] });
  }
  return [...hours.values()];
}
