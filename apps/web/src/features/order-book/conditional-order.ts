/** The input of a conditional order, as it is sent. */
import { asPercent, dayMs, hourMs, isTrailRate, type Percent } from '@fulcrum/domain';
import { parseAmount } from '../../shared/decimals/amount.ts';

/** How long an order with a limit may wait. */
export const ends = [
  { value: '', label: 'When it is canceled' },
  { value: 'hour', label: 'In an hour' },
  { value: 'day', label: 'In a day' },
  { value: 'week', label: 'In a week' },
  { value: 'month', label: 'In 30 days' },
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

/** Per cent, 1e-8; null for what is no trailing distance. */
export function toTrailRate(text: string): Percent | null {
  const typed = parseAmount(text);
  const rate = typed.kind === 'amount' ? asPercent(typed.size) : null;
  return rate !== null && isTrailRate(rate) ? rate : null;
}
