/**
 * The path through a recorded candle: from the open to the extreme against its direction, to the other extreme, to
 * the close (a rising candle falls first), a third of its minute each, in straight lines on the pair's ticks. A move
 * beyond the bound of the guard (A106) is no line but a jump at its end, because no trade took place between.
 * Invariant: the path touches open, high, low and close exactly and never leaves them; a half-played candle contains the
 * played part only.
 */

import { minuteMs } from '@fulcrum/domain';
import { distancePct, jumpPct } from '../../jump-guard.ts';
import type { RecordedCandle, Recording } from './recording.ts';

interface Waypoint {
  /** ms since the candle's open. */
  readonly at: number;
  readonly price: number;
}

/** What a walk depends on beside its candle. */
type WalkRules = Pick<Recording, 'ticks' | 'type'>;

/** The close is the last moment of the candle: one ms later the next one opens. */
const closeAt = minuteMs - 1;
const stepMs = 1_000;
const volumeScale = 1e8;

/** The recorded instants: whole seconds, and the last ms of each minute. The latest one at or before a time. */
export const instantAt = (time: number): number => {
  const since = ((time % minuteMs) + minuteMs) % minuteMs;
  return since >= closeAt ? time - since + closeAt : Math.floor(time / stepMs) * stepMs;
};

export const isJump = ({ type }: Pick<WalkRules, 'type'>, from: number, to: number): boolean =>
  distancePct(from, to) > jumpPct[type];

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
export function priceWithin(candle: RecordedCandle, at: number, rules: WalkRules): number {
  let from: Waypoint = { at: 0, price: candle.open };
  for (const to of waypointsOf(candle)) {
    if (at < to.at) return priceBetween(from, to, at, rules);
    from = to;
  }
  return candle.close;
}

function priceBetween(from: Waypoint, to: Waypoint, at: number, rules: WalkRules): number {
  if (isJump(rules, from.price, to.price)) return from.price;
  const share = (at - from.at) / (to.at - from.at);
  return rules.ticks.round(from.price + share * (to.price - from.price));
}

/** An emitted price of the path; `jumpsFrom` is the price before a jump, else absent. */
interface WalkPoint extends Waypoint {
  readonly jumpsFrom: number | null;
}

/** Every turning point, and each whole second at which the price is another one, in order. */
export function getWalkPoints(
  candle: RecordedCandle,
  previous: RecordedCandle | undefined,
  rules: WalkRules,
): WalkPoint[] {
  const points: WalkPoint[] = [];
  let from: Waypoint = { at: 0, price: previous?.close ?? candle.open };
  for (const to of waypointsOf(candle)) {
    const jumps = isJump(rules, from.price, to.price);
    for (let at = from.at + stepMs; at < to.at && !jumps; at += stepMs) {
      const price = priceBetween(from, to, at, rules);
      if (price !== points.at(-1)?.price) points.push({ at, price, jumpsFrom: null });
    }
    points.push({ ...to, jumpsFrom: jumps ? from.price : null });
    from = to;
  }
  return points;
}

/** The candle as far as it has been walked, up to and including `at` ms since its open. */
export function walkedUntil(candle: RecordedCandle, at: number, rules: WalkRules): RecordedCandle {
  if (at >= closeAt) return candle;
  const close = priceWithin(candle, at, rules);
  const seen = [
    close,
    ...waypointsOf(candle)
      .filter((point) => point.at <= at)
      .map(({ price }) => price),
  ];
  const volume = Math.floor(((candle.volume * at) / minuteMs) * volumeScale) / volumeScale;
  return { ...candle, high: Math.max(...seen), low: Math.min(...seen), close, volume };
}
