/**
 * Limits that traders set for their own account: loss a day, trades a day, a cool-down after a loss. A day is a UTC day. Invariant: a tighter limit
 * holds at once and a looser one from the next day. The engine enforces them (`engine/own-limits.ts`).
 */
import {
  asMoney,
  asPercent,
  HUNDRED_PERCENT,
  type Money,
  multiplyDivide,
  type Percent,
  parseDecimal,
  toDecimalString,
} from './money.ts';
import { dayMs, minuteMs, utcDayStart } from './time.ts';

/** Null is no limit. */
export interface OwnLimits {
  /** USDT, and per cent of the first equity of the day; each holds by itself. */
  readonly dailyLoss: Money | null;
  readonly dailyLossPercent: Percent | null;
  /** Orders that open or add, by their first fill. */
  readonly tradesMax: number | null;
  /** From the close of a position with a loss after fees and funding. */
  readonly coolDownMinutes: number | null;
}

/** What is stored: the limits, and the looser ones that wait. */
export interface StoredOwnLimits {
  readonly limits: OwnLimits;
  readonly waiting: { readonly limits: OwnLimits; readonly from: number } | null;
}

/** The account's day so far. Times in milliseconds since the epoch. */
export interface OwnDay {
  readonly start: number;
  /** The equity at its start, as first observed. */
  readonly equity: Money;
  /** Paid in since that (out: negative). */
  readonly paid: Money;
  readonly trades: number;
  /** Of this day or the one before, which a cool-down may reach into. */
  readonly lastLossAt: number | null;
}

export interface OwnStanding extends StoredOwnLimits {
  readonly day: OwnDay;
}

export const noOwnLimits: OwnLimits = {
  dailyLoss: null,
  dailyLossPercent: null,
  tradesMax: null,
  coolDownMinutes: null,
};
/** Of the day: its first snapshot is written within them, and counts once they are over. */
export const firstEquityWithinMs = 2 * minuteMs;
export const ownTradesMax = 1000;
export const coolDownMinutesMax = 1440;

/** As it is stored: money and per cent as decimal texts. */
interface OwnLimitsJson {
  readonly dailyLoss: string | null;
  readonly dailyLossPercent: string | null;
  readonly tradesMax: number | null;
  readonly coolDownMinutes: number | null;
}

export const toOwnLimitsJson = ({ dailyLoss, dailyLossPercent, ...counts }: OwnLimits): OwnLimitsJson => ({
  dailyLoss: dailyLoss === null ? null : toDecimalString(dailyLoss),
  dailyLossPercent: dailyLossPercent === null ? null : toDecimalString(dailyLossPercent),
  ...counts,
});

/** Of what `toOwnLimitsJson` made. @throws DecimalError */
export function parseOwnLimits(stored: unknown): OwnLimits {
  const { dailyLoss, dailyLossPercent, tradesMax, coolDownMinutes } = stored as OwnLimitsJson;
  return {
    dailyLoss: dailyLoss === null ? null : asMoney(parseDecimal(dailyLoss)),
    dailyLossPercent: dailyLossPercent === null ? null : asPercent(parseDecimal(dailyLossPercent)),
    tradesMax,
    coolDownMinutes,
  };
}

/** Those in force. */
export const ownLimitsAt = ({ limits, waiting }: StoredOwnLimits, now: number): OwnLimits =>
  waiting !== null && now >= waiting.from ? waiting.limits : limits;

const lower = <Figure extends bigint | number>(one: Figure | null, other: Figure | null): Figure | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The tighter of both, each limit by itself. */
const tighter = (one: OwnLimits, other: OwnLimits): OwnLimits => ({
  dailyLoss: lower(one.dailyLoss, other.dailyLoss),
  dailyLossPercent: lower(one.dailyLossPercent, other.dailyLossPercent),
  tradesMax: lower(one.tradesMax, other.tradesMax),
  coolDownMinutes: Math.max(one.coolDownMinutes ?? 0, other.coolDownMinutes ?? 0) || null,
});

const isSame = (one: OwnLimits, other: OwnLimits): boolean =>
  one.dailyLoss === other.dailyLoss &&
  one.dailyLossPercent === other.dailyLossPercent &&
  one.tradesMax === other.tradesMax &&
  one.coolDownMinutes === other.coolDownMinutes;

/** What is tightened holds at once, and the rest from the next day. It replaces what waited. */
export function changeOwnLimits(
  stored: StoredOwnLimits | null,
  requested: OwnLimits,
  now: number,
): StoredOwnLimits {
  const limits = tighter(stored === null ? noOwnLimits : ownLimitsAt(stored, now), requested);
  return {
    limits,
    waiting: isSame(limits, requested) ? null : { limits: requested, from: utcDayStart(now) + dayMs },
  };
}

/** The loss at which the day ends, USDT; null without such a limit. Rounded down. */
export function dailyLossLimit({ dailyLoss, dailyLossPercent }: OwnLimits, firstEquity: Money): Money | null {
  const share =
    dailyLossPercent === null
      ? null
      : asMoney(multiplyDivide(firstEquity, dailyLossPercent, HUNDRED_PERCENT, 'floor'));
  return lower(dailyLoss, share);
}

/** USDT; below zero for a gain. */
export const dailyLossOf = ({ equity, paid }: Pick<OwnDay, 'equity' | 'paid'>, equityNow: Money): Money =>
  asMoney(equity + paid - equityNow);

/** Null outside a cool-down. */
export function coolDownUntil(
  { coolDownMinutes }: Pick<OwnLimits, 'coolDownMinutes'>,
  { lastLossAt }: Pick<OwnDay, 'lastLossAt'>,
  now: number,
): number | null {
  if (coolDownMinutes === null || lastLossAt === null) return null;
  const until = lastLossAt + coolDownMinutes * minuteMs;
  return now < until ? until : null;
}
