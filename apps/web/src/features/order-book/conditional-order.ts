/** The input of a conditional order, as it is sent. */
import { dayMs, hourMs, toDecimalString } from '@fulcrum/domain';
import { parseAmount } from '../../shared/decimals/amount.ts';

/** How long an order with a limit may wait. */
export const ends = [
  ['', 'When it is canceled'],
  ['hour', 'In an hour'],
  ['day', 'In a day'],
  ['week', 'In a week'],
  ['month', 'In 30 days'],
] as const;
const msOf: Readonly<Record<string, number>> = {
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};

/** Nothing for an order without an end. */
export function endOf(end: string, now = Date.now()) {
  const wait = msOf[end];
  return wait === undefined
    ? {}
    : { time_in_force: 'GTD' as const, expires_at: new Date(now + wait).toISOString() };
}

/** A figure above zero. `fault`: what to type instead, or null. */
export function readFigure(text: string): {
  readonly value: number;
  readonly fault: (example: string) => string | null;
} {
  const parsed = parseAmount(text);
  const isValid = parsed.kind === 'amount' && parsed.size > 0n;
  return {
    value: isValid ? Number(toDecimalString(parsed.size)) : 0,
    fault: (example) => (isValid ? null : `Type ${example}.`),
  };
}
