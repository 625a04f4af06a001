/**
 * What holding a net position costs (A113). Crypto pays funding each 8 hours at 00, 08 and 16 UTC, as exchanges for perpetuals
 * charge it: rate = premium + clamp(0.01 % − premium, ±0.05 %). The modelled premium is 0, so the rate is 0.01 %: a BUY pays
 * it, a SELL receives it. Every other market pays financing at 21:00 UTC (17:00 in New York, in winter 16:00) of each calendar
 * day, weekends too, as brokers of CFDs charge it: a year has 360 days, a BUY pays base + 2.5 %, a SELL receives base − 2.5 %,
 * which is a payment where the base is lower.
 *
 * Rates are fractions in 1e-8, values and amounts USDT in 1e-8, instants ms since the epoch. An amount is signed as the trader
 * sees it: received above zero. It is rounded once, half away from zero.
 *
 * Known limitation: the hour of financing is fixed, so that it does not depend on daylight saving time.
 */
import { asFeeRate, asMoney, type FeeRate, type Money, multiplyDivide, UNIT } from '../money.ts';
import type { MarketType } from '../pairs.ts';
import type { Side } from '../states.ts';
import { dayMs, hourMs } from '../time.ts';
import { baseRateAt } from './base-rates.ts';

export const timeCostKinds = ['funding', 'financing'] as const;
export type TimeCostKind = (typeof timeCostKinds)[number];
export const timeCostKindOf = (market: MarketType): TimeCostKind =>
  market === 'crypto' ? 'funding' : 'financing';

/** Of the modelled premium 0, for 8 hours. */
export const FUNDING_RATE = 10_000n;
const FINANCING_MARKUP = 2_500_000n;
const FINANCING_DAYS = 360n;

/** Every so long, from that time of the UTC day on. */
const schedule = {
  funding: { every: 8 * hourMs, from: 0 },
  financing: { every: dayMs, from: 21 * hourMs },
} as const satisfies Record<TimeCostKind, { readonly every: number; readonly from: number }>;

/** How long from one due instant to the next, in ms. */
export const timeCostInterval = (kind: TimeCostKind): number => schedule[kind].every;

/** The first due instant after `at`. */
export function nextDueInstant(kind: TimeCostKind, at: number): number {
  const { every, from } = schedule[kind];
  return (Math.floor((at - from) / every) + 1) * every + from;
}

/** What each side receives in a year at a financing instant. */
export function financingRates(at: number): Readonly<Record<Side, bigint>> {
  const base = baseRateAt(at);
  return { BUY: -(base + FINANCING_MARKUP), SELL: base - FINANCING_MARKUP };
}

/** What a position of this value (mark × size) receives at a due instant. */
export function timeCost(kind: TimeCostKind, side: Side, value: Money, dueAt: number): Money {
  const [rate, parts] =
    kind === 'funding'
      ? [side === 'BUY' ? -FUNDING_RATE : FUNDING_RATE, 1n]
      : [financingRates(dueAt)[side], FINANCING_DAYS];
  return asMoney(multiplyDivide(value, rate, parts * UNIT, 'half-away-from-zero'));
}

/** What a BUY pays at a due instant, as a fraction of its value; a SELL receives as much of funding, and less of financing. */
export const timeCostRate = (kind: TimeCostKind, dueAt: number): FeeRate =>
  asFeeRate(-timeCost(kind, 'BUY', asMoney(UNIT), dueAt));
