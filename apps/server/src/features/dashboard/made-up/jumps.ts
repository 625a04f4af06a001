/**
 * Moves that everybody talks about: within one hour of the clock a market leaves the hour's first price by far more than it
 * usually does. Invariant: what was found stays what it was, because it is told of the minute (or the bar) in which it was
 * reached, not of the hour's end.
 * Known limitations: a move that came back within one bar is found only where the bar's minutes are known.
 */
import { hourMs, type MarketType } from '@fulcrum/domain';
import { barsWithin, changeOver, type Tape, type TapeBar } from './tape.ts';

export interface Jump {
  /** When it had come so far, ms since the epoch; never before its hour and never after its hour's end. */
  readonly at: number;
  /** From the hour's first price, in per cent. */
  readonly percent: number;
  readonly price: number;
}

/** What is nothing in this kind of market, in per cent of an hour. */
const leastPercent: Readonly<Record<MarketType, number>> = {
  crypto: 2,
  stock: 1.5,
  commodity: 1.2,
  index: 0.9,
  forex: 0.45,
};
const timesUsual = 5;
const usualHours = 48;
/** With fewer hours that moved, nothing is known of what is usual. */
const leastHours = 12;

/** From how many per cent of an hour on it is a jump. */
export function jumpFrom(tape: Tape, type: MarketType, now: number): number {
  const newest = now - (now % hourMs);
  const moves: number[] = [];
  for (let back = 0; back < usualHours; back += 1) {
    const move = changeOver(tape, newest - back * hourMs, hourMs);
    if (move !== null && move !== 0) moves.push(Math.abs(move));
  }
  if (moves.length < leastHours) return leastPercent[type];
  const usual = moves.sort((left, right) => left - right)[moves.length >> 1] ?? 0;
  return Math.max(leastPercent[type], timesUsual * usual);
}

export interface JumpQuestion {
  readonly tape: Tape;
  /** In per cent. */
  readonly threshold: number;
  readonly now: number;
  readonly spanMs: number;
  /** The minutes of the bar that began at `from`, where they are known. */
  readonly minutesOf: (from: number) => Tape | undefined;
}

/** Bars in which a jump may hide: their minutes tell when, oldest first. */
export function barsToLookInto({ tape, threshold, now, spanMs }: Omit<JumpQuestion, 'minutesOf'>): Tape {
  return hoursOf(tape, now, spanMs).flatMap(({ open, bars }) =>
    bars.filter((bar) => Math.max(bar.high / open - 1, 1 - bar.low / open) * 100 >= threshold),
  );
}

/** Oldest first. */
export function jumpsIn({ tape, threshold, now, spanMs, minutesOf }: JumpQuestion): Jump[] {
  return hoursOf(tape, now, spanMs).flatMap(({ open, bars }) => {
    const jumps: Jump[] = [];
    let told = 0;
    for (const bar of bars) {
      for (const { from, to, close } of partsOf(bar, minutesOf(bar.from))) {
        const percent = (close / open - 1) * 100;
        // What comes back to where the hour began is no jump of its own.
        if (Math.abs(percent) < threshold || Math.abs(percent - told) < threshold) continue;
        told = percent;
        jumps.push({ at: to <= now ? to : from, percent, price: close });
      }
    }
    return jumps;
  });
}

/** The minutes of a bar, and what of it they do not reach: they may have been read before it went on. */
function partsOf(bar: TapeBar, minutes: Tape = []): Tape {
  const last = minutes.at(-1);
  if (!last) return [bar];
  return last.to < bar.to ? [...minutes, { ...bar, from: last.to }] : minutes;
}

interface Hour {
  readonly open: number;
  readonly bars: TapeBar[];
}

function hoursOf(tape: Tape, now: number, spanMs: number): readonly Hour[] {
  const hours = new Map<number, Hour>();
  const running = tape.at(-1);
  const finished = barsWithin(tape, now, spanMs);
  const bars = running && running.to > now ? [...finished, running] : finished;
  for (const bar of bars) {
    const start = bar.from - (bar.from % hourMs);
    const hour = hours.get(start);
    if (hour) hour.bars.push(bar);
    // An hour of which the beginning is missing says nothing about its beginning.
    else if (bar.from === start) hours.set(start, { open: bar.open, bars: [bar] });
  }
  return [...hours.values()];
}
