/**
 * What one market did lately, as the generator reads it: bars of any length, oldest first, the last one ending at the present
 * price. Invariant: a figure of an instant is made of bars that were over by then, so it never changes afterwards.
 */
import { hourMs } from '@fulcrum/domain';

/** Instants in ms since the epoch, prices in the quote, turnover in units of the quote. */
export interface TapeBar {
  readonly from: number;
  readonly to: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly turnover: number;
}
export type Tape = readonly TapeBar[];

/** How many bars were over at `instant`. */
function finishedBy(tape: Tape, instant: number): number {
  let low = 0;
  let high = tape.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tape[middle]?.to ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The close of the last bar that was over; null before the first. */
export const priceAt = (tape: Tape, instant: number): number | null =>
  tape[finishedBy(tape, instant) - 1]?.close ?? null;

/** Change over the `spanMs` before `instant` in per cent; null where the tape does not reach back so far. */
export function changeOver(tape: Tape, instant: number, spanMs: number): number | null {
  const price = priceAt(tape, instant);
  const before = priceAt(tape, instant - spanMs);
  return price === null || before === null ? null : (price / before - 1) * 100;
}

/** The bars that began and were over within the `spanMs` before `instant`. */
export const barsWithin = (tape: Tape, instant: number, spanMs: number): Tape =>
  tape.slice(finishedBy(tape, instant - spanMs), finishedBy(tape, instant));

export interface Range {
  readonly high: number;
  readonly low: number;
}
export function rangeOver(tape: Tape, instant: number, spanMs: number): Range | null {
  const bars = barsWithin(tape, instant, spanMs);
  const [first] = bars;
  if (!first || first.from > instant - spanMs + hourMs) return null;
  return {
    high: Math.max(...bars.map((bar) => bar.high)),
    low: Math.min(...bars.map((bar) => bar.low)),
  };
}

/** The tape with the price of this moment at its end, which the bars were read too early to know. */
export function withPrice(tape: Tape, price: number, now: number): Tape {
  const last = tape.at(-1);
  if (!last) return tape;
  const { close } = last;
  const lengthMs = last.to - last.from;
  if (last.to > now) {
    const high = Math.max(last.high, price);
    const low = Math.min(last.low, price);
    return [...tape.slice(0, -1), { ...last, high, low, close: price }];
  }
  const from = now - ((now - last.to) % lengthMs);
  const running = { from, to: from + lengthMs, open: close, turnover: 0 };
  return [...tape, { ...running, high: Math.max(close, price), low: Math.min(close, price), close: price }];
}
