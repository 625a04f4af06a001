/**
 * The bars of a chart: every day of the range, including days without data, or months when there are too many days. Invariant:
 * the bars add up to the sum of the days. User counts do not add up, so a month has their daily average.
 */
import type { TotalsMetrics } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { formatDay, formatMonthAndDay, formatMonthAndYear } from '../../../shared/time/dates.ts';
import { toUtcDay } from './range.ts';

export type TotalsDay = TotalsMetrics['days'][number];
export interface Bucket extends Omit<TotalsDay, 'day'> {
  /** `Nov 20` or `Nov 2026`. */
  readonly name: string;
}
export interface Buckets {
  readonly unit: 'Day' | 'Month';
  readonly bars: readonly Bucket[];
}

/** The maximum number of daily bars; a longer range shows months. */
const daysMax = 92;

const toDayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** `MMM dd, yyyy` of a UTC day. */
export const formatUtcDay = (day: string): string => formatDay(day, 'UTC');

const emptyBucket = {
  volume: 0,
  active_traders: 0,
  house_pnl: 0,
  liquidations: 0,
  transactions: 0,
  deposits: 0,
  withdrawals: 0,
} as const satisfies Omit<TotalsDay, 'day'>;

function sumBucket(name: string, days: readonly TotalsDay[], length: number): Bucket {
  const sum = (of: (day: TotalsDay) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    name,
    volume: sum((day) => day.volume),
    active_traders: length === 0 ? 0 : sum((day) => day.active_traders) / length,
    house_pnl: sum((day) => day.house_pnl),
    liquidations: sum((day) => day.liquidations),
    transactions: sum((day) => day.transactions),
    deposits: sum((day) => day.deposits),
    withdrawals: sum((day) => day.withdrawals),
  };
}

/** Bars from `first` (`YYYY-MM-DD`) to `last`; `first` null starts at the first day with data. */
export function toBuckets(days: readonly TotalsDay[], first: string | null, last: string): Buckets {
  const from = first ?? days[0]?.day ?? last;
  const count = Math.max(1, Math.round((toDayStart(last) - toDayStart(from)) / dayMs) + 1);
  const calendar = Array.from({ length: count }, (_, index) => toUtcDay(toDayStart(from) + index * dayMs));
  const known = new Map(days.map((day) => [day.day, day]));
  if (count <= daysMax) {
    const bars = calendar.map((day) => ({
      ...emptyBucket,
      ...known.get(day),
      name: formatMonthAndDay(day, 'UTC'),
    }));
    return { unit: 'Day', bars };
  }
  const months = Map.groupBy(calendar, (day) => day.slice(0, 7));
  const bars = [...months].map(([month, its]) =>
    sumBucket(
      formatMonthAndYear(month, 'UTC'),
      its.map((day) => known.get(day)).filter((day) => day !== undefined),
      its.length,
    ),
  );
  return { unit: 'Month', bars };
}
