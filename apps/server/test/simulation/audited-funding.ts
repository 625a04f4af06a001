/**
 * The auditor's costs of holding a net position (A113): which instants are due, by the hours of the clock, and what each costs, with an
 * own copy of the published rates.
 */
import { hourMs, nearest, over, plus, type Ratio, ratio, times } from './arithmetic.ts';
import type { AuditedPair, AuditedQuote } from './audited-market.ts';
import type { AuditedPosition } from './ledger-book.ts';

/** Federal funds target range, upper limit, in per cent from a day on. */
const benchmark = [
  ['1970-01-01', '0.25'],
  ['2022-03-17', '0.50'],
  ['2022-05-05', '1.00'],
  ['2022-06-16', '1.75'],
  ['2022-07-28', '2.50'],
  ['2022-09-22', '3.25'],
  ['2022-11-03', '4.00'],
  ['2022-12-15', '4.50'],
  ['2023-02-02', '4.75'],
  ['2023-03-23', '5.00'],
  ['2023-05-04', '5.25'],
  ['2023-07-27', '5.50'],
  ['2024-09-19', '5.00'],
  ['2024-11-08', '4.75'],
  ['2024-12-19', '4.50'],
  ['2025-09-18', '4.25'],
  ['2025-10-30', '4.00'],
  ['2025-12-11', '3.75'],
] as const;

const hoursOf = (pair: AuditedPair): readonly number[] => (pair.type === 'crypto' ? [0, 8, 16] : [21]);

/** Of one command. */
const instantsMax = 100;

/** The instants after the last booked one and up to `at`, oldest first; none while the price is unknown. */
export function dueInstants(
  position: AuditedPosition,
  pair: AuditedPair | undefined,
  quote: AuditedQuote | undefined,
  at: number,
): number[] {
  if (position.closing || position.value === null || !pair || !quote || quote.held) return [];
  const hours = hoursOf(pair);
  const from = position.fundedAt ?? position.createdAt;
  const due: number[] = [];
  for (let hour = Math.ceil(from / hourMs) * hourMs; hour <= at && due.length < instantsMax; hour += hourMs) {
    if (hour > from && hours.includes(new Date(hour).getUTCHours())) due.push(hour);
  }
  return due;
}

/** A share of the value: 0.01 % for crypto, else the year's rate over 360. What the trader gets. */
function rateOf({ side }: AuditedPosition, pair: AuditedPair, dueAt: number): Ratio {
  const sign = side === 'BUY' ? -1n : 1n;
  if (pair.type === 'crypto') return ratio(sign, 10_000n);
  const day = new Date(dueAt).toISOString().slice(0, 10);
  const [, percent] = benchmark.findLast(([from]) => from <= day) ?? benchmark[0];
  const base = ratio(BigInt(percent.replace('.', '')), 10_000n);
  // The broker keeps 2.5 % on either side.
  return over(plus(times(ratio(sign), base), ratio(-25n, 1_000n)), ratio(360n));
}

export function costAt(position: AuditedPosition, pair: AuditedPair, price: bigint, dueAt: number): bigint {
  const value = nearest(ratio(price * position.size, 100_000_000n));
  return nearest(times(ratio(value), rateOf(position, pair, dueAt)));
}
