/** Computes the path of a small curve over days and its text description. Pure. */
import { formatCompact } from '../../../shared/numbers/index.ts';

const margin = 8;
const round = (value: number): number => Math.round(value * 100) / 100;

export interface Sparkline {
  /** SVG path in a box of 100 × 100, y pointing down. */
  readonly line: string;
  readonly area: string;
  /** Height of the last point, in per cent from the top. */
  readonly endY: number;
}

/** Null for fewer than two days or when every value is zero: a flat line would look like data. */
export function toSparkline(days: readonly number[]): Sparkline | null {
  if (days.length < 2 || days.every((value) => value === 0)) return null;
  const [low, high] = [Math.min(...days), Math.max(...days)];
  const x = (index: number) => round((index / (days.length - 1)) * 100);
  const y = (value: number) =>
    round(high === low ? 50 : margin + ((high - value) / (high - low)) * (100 - 2 * margin));
  const line = days.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  return { line, area: `${line}V100H0Z`, endY: y(days.at(-1) ?? 0) };
}

/** Text alternative for screen readers. */
export function describeSparkline(days: readonly number[], unit: string): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  const formatValue = (value: number) => `${formatCompact(value)}${unit}`;
  return `Last ${days.length} days: from ${formatValue(first)} to ${formatValue(last)}, lowest ${formatValue(Math.min(...days))}, highest ${formatValue(Math.max(...days))}.`;
}
