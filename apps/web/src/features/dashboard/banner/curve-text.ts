/**
 * The title of the banner's curve and its text alternative; pure. The curve shows the trading result: equity less deposits
 * and withdrawals, so a deposit is no jump.
 */
import { dayMs } from '@fulcrum/domain';
import { formatAmount } from '../../../shared/numbers/index.ts';
import type { CurvePoint } from '../../../shared/plot/index.ts';
import { formatDayAndMonth } from '../../../shared/time/dates.ts';

export const curveDays = 28;

/** Such as `Equity, 28 days`, or since when there is one. */
export function formatCurveTitle(points: readonly CurvePoint[], now: number): string {
  const first = points[0]?.at;
  if (first === undefined || first <= now - (curveDays - 1) * dayMs) return `Equity, ${curveDays} days`;
  return `Equity since ${formatDayAndMonth(first)}`;
}

/** The curve as a sentence for screen readers. */
export function describeResult(points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const gains = points.map(({ value }) => value - first.value);
  const [low, high] = [Math.min(...gains), Math.max(...gains)].map((gain) => formatAmount(gain, 'always'));
  const gain = formatAmount(last.value - first.value, 'always');
  return `Equity net of deposits from ${formatDayAndMonth(first.at)} to ${formatDayAndMonth(last.at)}: ${gain} USDT, at the lowest ${low}, at the highest ${high}.`;
}
