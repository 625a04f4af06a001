/**
 * The days of the house as the bars of a chart: every day of the range, also those on which nothing happened, or months when there
 * are too many days. Invariant: what is summed over the bars is the sum of the days; people are no sum, so a month has its daily
 * average of them.
 */
import type { HouseMetrics } from '@fulcrum/contract';
import { dayOf } from './range.ts';

export type HouseDay = HouseMetrics['days'][number];
export interface Bucket extends Omit<HouseDay, 'day'> {
  /** `Nov 20` or `Nov 2026`. */
  readonly name: string;
}
export interface Buckets {
  readonly unit: 'Day' | 'Month';
  readonly bars: readonly Bucket[];
}

const dayMs = 86_400_000;
/** More bars than this are not read one by one. */
const daysMax = 92;

const utc = { timeZone: 'UTC' } as const;
const dayName = new Intl.DateTimeFormat('en-US', { ...utc, month: 'short', day: '2-digit' });
const monthName = new Intl.DateTimeFormat('en-US', { ...utc, month: 'short', year: 'numeric' });
const wholeName = new Intl.DateTimeFormat('en-US', {
  ...utc,
  month: 'short',
  day: '2-digit',
  year: 'numeric',
});

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** `MMM dd, yyyy` of a UTC day. */
export const wordsOf = (day: string): string => wholeName.format(instantOf(day));

const nothing = {
  volume: 0,
  active_traders: 0,
  house_pnl: 0,
  liquidations: 0,
  transactions: 0,
  deposits: 0,
  withdrawals: 0,
} as const satisfies Omit<HouseDay, 'day'>;

function sumOf(name: string, days: readonly HouseDay[], length: number): Bucket {
  const sum = (of: (day: HouseDay) => number) => days.reduce((total, day) => total + of(day), 0);
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

/** From `first` (`YYYY-MM-DD`) to `last`; `first` null is the first day on which something happened. */
export function bucketsOf(days: readonly HouseDay[], first: string | null, last: string): Buckets {
  const from = first ?? days[0]?.day ?? last;
  const count = Math.max(1, Math.round((instantOf(last) - instantOf(from)) / dayMs) + 1);
  const calendar = Array.from({ length: count }, (_, index) => dayOf(instantOf(from) + index * dayMs));
  const known = new Map(days.map((day) => [day.day, day]));
  if (count <= daysMax) {
    const bars = calendar.map((day) => ({
      ...nothing,
      ...known.get(day),
      name: dayName.format(instantOf(day)),
    }));
    return { unit: 'Day', bars };
  }
  const months = Map.groupBy(calendar, (day) => day.slice(0, 7));
  const bars = [...months].map(([month, its]) =>
    sumOf(
      monthName.format(instantOf(`${month}-01`)),
      its.map((day) => known.get(day)).filter((day) => day !== undefined),
      its.length,
    ),
  );
  return { unit: 'Month', bars };
}
