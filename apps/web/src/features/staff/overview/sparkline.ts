/** The shape of a small curve over days, and what it says in words; pure. */
import { formatCompact } from '../../../shared/numbers/index.ts';

const margin = 8;
const round = (value: number): number => Math.round(value * 100) / 100;

export interface Sparkline {
  /** In a box of 100 × 100, y down. */
  readonly line: string;
  readonly area: string;
  /** Where the last day lies, in per cent of the height. */
  readonly endY: number;
}

/** Null for fewer than two days, and where nothing ever was: a flat line would look like figures. */
export function sparklineOf(days: readonly number[]): Sparkline | null {
  if (days.length < 2 || days.every((value) => value === 0)) return null;
  const [low, high] = [Math.min(...days), Math.max(...days)];
  const x = (index: number) => round((index / (days.length - 1)) * 100);
  const y = (value: number) =>
    round(high === low ? 50 : margin + ((high - value) / (high - low)) * (100 - 2 * margin));
  const line = days.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  return { line, area: `${line}V100H0Z`, endY: y(days.at(-1) ?? 0) };
}

/** For whoever does not see it. */
export function sparklineInWords(days: readonly number[], unit: string): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  const say = (value: number) => `${formatCompact(value)}${unit}`;
  return `Last ${days.length} days: from ${say(first)} to ${say(last)}, lowest ${say(Math.min(...days))}, highest ${say(Math.max(...days))}.`;
}
