/**
 * Alerts of a user: what they look at, and the market price at which one fires. A position's alert becomes a price, so that
 * one index of prices serves all of them.
 */
import { asPrice, divideRounded, type Percent, type Price, UNIT } from './money.ts';
import { roundToTick } from './pairs.ts';
import type { PositionTerms } from './rules.ts';

/** `price`: a pair's price. `change`: its change in a time. `roe`, `liquidation`: of a position. */
export const alertKinds = ['price', 'change', 'roe', 'liquidation'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** `fired`: done, or waiting for its position to change. `ended`: its position is closed. */
export const alertStates = ['armed', 'paused', 'fired', 'ended'] as const;
export type AlertState = (typeof alertStates)[number];

export const alertDirections = ['rises', 'falls'] as const;
export type AlertDirection = (typeof alertDirections)[number];

/** The times of a `change` alert, in minutes. */
export const alertWindows = [5, 15, 60, 240, 1440] as const;

/** The most alerts of one user, in any state. */
export const alertsMax = 100;

/** Bounds of a level in per cent; a price has those of its pair. */
export const alertPercentMax = { change: 100, roe: 10_000, liquidation: 90 } as const;

/** A market price that fires an alert: at this price and beyond. */
export interface AlertTrigger {
  readonly price: Price;
  readonly when: AlertDirection;
}

const whole = 100n * UNIT;

/** The tick at or beyond an exact fraction, so that the condition holds there; null at zero and below. */
function toTrigger(
  numerator: bigint,
  denominator: bigint,
  tickSize: Price,
  when: AlertDirection,
): AlertTrigger | null {
  const rounding = when === 'rises' ? 'ceiling' : 'floor';
  const price = roundToTick(asPrice(divideRounded(numerator, denominator, rounding)), tickSize, rounding);
  return price > 0n ? { price, when } : null;
}

/**
 * The price at which the ROE of an open position (RULE-10) is `percent`: entry ± percent / 100 × margin / size, plus for a
 * long position. `direction` is that of the ROE. Null where no price above zero has it.
 */
export function roeTrigger(
  { side, entryPrice, size, margin }: PositionTerms,
  tickSize: Price,
  percent: Percent,
  direction: AlertDirection,
): AlertTrigger | null {
  const isLong = side === 'BUY';
  const when = isLong === (direction === 'rises') ? 'rises' : 'falls';
  // Percent, margin and size carry 1e-8 each.
  const move = percent * margin * (isLong ? 1n : -1n);
  const perSize = size * 100n;
  return toTrigger(entryPrice * perSize + move, perSize, tickSize, when);
}

/**
 * The price at which the distance to the liquidation price is `percent` of the price: liquidation / (1 − percent / 100)
 * for a long position, below 100; liquidation / (1 + percent / 100) for a short one.
 */
export function liquidationTrigger(
  side: PositionTerms['side'],
  liquidationPrice: Price,
  tickSize: Price,
  percent: Percent,
): AlertTrigger | null {
  const isLong = side === 'BUY';
  return toTrigger(
    liquidationPrice * whole,
    isLong ? whole - percent : whole + percent,
    tickSize,
    isLong ? 'falls' : 'rises',
  );
}

/** Whether a price has changed by at least `percent` (above zero) in the direction since `before`. */
export const hasChangedBy = (
  before: Price,
  price: Price,
  percent: Percent,
  direction: AlertDirection,
): boolean => {
  const change = (price - before) * whole;
  return direction === 'rises' ? change >= before * percent : -change >= before * percent;
};

/** Whether `price` is at the trigger or beyond it. */
export const isReached = ({ price: level, when }: AlertTrigger, price: Price): boolean =>
  when === 'rises' ? price >= level : price <= level;
