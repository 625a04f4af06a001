/**
 * The recent price history of one market for the generator: bars of any length, oldest first, the last one ending at the
 * present price. Invariant: a figure of an instant uses bars that were over by then, so it never changes afterwards.
 */
import { hourMs } from '@fulcrum/domain';

/** Instants in ms since the epoch, prices in the quote, turnover in units of the quote. */
export interface HistoryBar {
  readonly from: number;
  readonly to: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly turnover: number;
}
export type PriceHistory = readonly HistoryBar[];

/** How many bars were over at `instant`. */
function finishedBy(history: PriceHistory, instant: number): number {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((history[middle]?.to ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The close of the last bar that was over; null before the first. */
export const priceAt = (history: PriceHistory, instant: number): number | null =>
  history[finishedBy(history, instant) - 1]?.close ?? null;

/** Change over the `spanMs` before `instant` in per cent; null where the history does not reach back so far. */
export function changeOver(history: PriceHistory, instant: number, spanMs: number): number | null {
  const price = priceAt(history, instant);
  const before = priceAt(history, instant - spanMs);
  return price === null || before === null ? null : (price / before - 1) * 100;
}

/** The bars that began and were over within the `spanMs` before `instant`. */
export const barsWithin = (history: PriceHistory, instant: number, spanMs: number): PriceHistory =>
  history.slice(finishedBy(history, instant - spanMs), finishedBy(history, instant));

export interface Range {
  readonly high: number;
  readonly low: number;
}
export function rangeOver(history: PriceHistory, instant: number, spanMs: number): Range | null {
  const bars = barsWithin(history, instant, spanMs);
  const [first] = bars;
  if (!first || first.from > instant - spanMs + hourMs) return null;
  return {
    high: Math.max(...bars.map((bar) => bar.high)),
    low: Math.min(...bars.map((bar) => bar.low)),
  };
}

/** The history with the present price at its end, which is newer than the bars. */
export function withPrice(history: PriceHistory, price: number, now: number): PriceHistory {
  const last = history.at(-1);
  if (!last) return history;
  const { close } = last;
  const lengthMs = last.to - last.from;
  if (last.to > now) {
    const high = Math.max(last.high, price);
    const low = Math.min(last.low, price);
    return [...history.slice(0, -1), { ...last, high, low, close: price }];
  }
  const from = now - ((now - last.to) % lengthMs);
  const running = { from, to: from + lengthMs, open: close, turnover: 0 };
  return [
    ...history,
    { ...running, high: Math.max(close, price), low: Math.min(close, price), close: price },
  ];
}
