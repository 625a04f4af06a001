/**
 * How a recorded candle is lived through: from the open to the extreme against its direction, to the other extreme, to
 * the close (a rising candle falls first), a third of its minute each, in straight lines on the pair's ticks.
 * Invariant: the walk touches open, high, low and close exactly and never leaves them; a candle half walked is made of
 * what has been walked.
 */

import { minuteMs } from '@fulcrum/domain';
import type { Grid } from '../../grid.ts';
import type { RecordedCandle } from './recording.ts';

export interface Waypoint {
  /** ms since the candle's open. */
  readonly at: number;
  readonly price: number;
}

/** The close is the last moment of the candle: one ms later the next one opens. */
const closeAt = minuteMs - 1;
const volumeScale = 1e8;

export function waypointsOf({ open, high, low, close }: RecordedCandle): readonly Waypoint[] {
  const [first, second] = close >= open ? [low, high] : [high, low];
  return [
    { at: 0, price: open },
    { at: minuteMs / 3, price: first },
    { at: (2 * minuteMs) / 3, price: second },
    { at: closeAt, price: close },
  ];
}

/** The price at a moment of the candle, `at` in ms since its open. */
export function priceWithin(candle: RecordedCandle, at: number, ticks: Grid): number {
  let from: Waypoint = { at: 0, price: candle.open };
  for (const to of waypointsOf(candle)) {
    if (at < to.at) {
      const share = (at - from.at) / (to.at - from.at);
      return ticks.round(from.price + share * (to.price - from.price));
    }
    from = to;
  }
  return candle.close;
}

/** The candle as far as it has been walked, up to and including `at` ms since its open. */
export function walkedUntil(candle: RecordedCandle, at: number, ticks: Grid): RecordedCandle {
  if (at >= closeAt) return candle;
  const close = priceWithin(candle, at, ticks);
  const seen = [
    close,
    ...waypointsOf(candle)
      .filter((point) => point.at <= at)
      .map(({ price }) => price),
  ];
  const volume = Math.floor(((candle.volume * at) / minuteMs) * volumeScale) / volumeScale;
  return { ...candle, high: Math.max(...seen), low: Math.min(...seen), close, volume };
}
