/** Axes of USDT and of time; pure. Apart from the scale, because the dashboard's first row needs neither. */
import { dayMs } from '@fulcrum/domain';
import { formatFigure } from '../numbers/index.ts';
import { formatClock, formatShortDay } from '../time/dates.ts';
import type { Axis, AxisLabel } from './scale.ts';

const lines = 4;
const gaps = lines - 1;
/** The minimum span of an axis, as a fraction of the balance, so that tiny changes do not look like large ones. */
const minSpread = 0.02;
const roundSteps = [1, 2, 2.5, 5, 10, 20, 25, 50];

/** An axis of USDT with four multiples of a round step that enclose all values, the curve about in the middle. */
export function createBalanceAxis(values: readonly number[]): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = Math.max(high - low, Math.abs(high) * minSpread, 1);
  const power = 10 ** Math.floor(Math.log10(spread / gaps));
  const candidateOf = (step: number) => {
    const from = Math.floor((low + high - step * gaps) / 2 / step) * step;
    // A balance is never negative, so its axis is not either.
    return { from: low >= 0 ? Math.max(0, from) : from, step };
  };
  const candidates = roundSteps
    .map((factor) => factor * power)
    .filter((step) => step * gaps >= spread)
    .map(candidateOf);
  const { from, step } =
    candidates.find((axis) => axis.from <= low && axis.from + axis.step * gaps >= high) ??
    candidateOf(spread);
  const ticks = Array.from({ length: lines }, (_, index) => {
    // Of whole steps, so that zero is exactly zero.
    const value = (Math.round(from / step) + index) * step;
    return { value, label: formatFigure(value, step < 1 ? 2 : 0) };
  });
  return { low: from, high: from + gaps * step, ticks };
}

const timeLabels = 4;
/** A shorter range is labelled by the hour. */
const hourlyBelowMs = 3 * dayMs;

/** A few labelled times along a time axis, none near its ends; no label occurs twice. */
export function getTimeLabels(times: readonly number[]): readonly AxisLabel[] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const format = last - first < hourlyBelowMs ? formatClock : formatShortDay;
  return Array.from(
    { length: timeLabels },
    (_, index) => first + ((last - first) * (index + 0.5)) / timeLabels,
  )
    .map((at) => ({ at, label: format(at) }))
    .filter(({ label }, index, all) => label !== all[index - 1]?.label);
}
