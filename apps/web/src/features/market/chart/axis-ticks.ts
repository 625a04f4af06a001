/** Places the labels of the axes: round times instead of every nth bar, and no price beneath a tag. */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { AxisTick } from 'klinecharts';
import { formatClock, formatDayAndMonth, formatMonth } from '../../../shared/time/dates.ts';

const month = 30 * dayMs;
const leastGapPx = 90;
/**
 * Nights and weekends leave no gap on the axis, so labels of a market with trading hours get close. Closer than this
 * they touch.
 */
const touchPx = 56;
const tagGapPx = 17;
/** Half the height of a number: closer to an edge, it would be cut off. */
const halfTextPx = 7;
/** Half of a label: closer to the edge, it would be cut off. */
const edgePx = 18;
/** Every step divides the next one, so a tick of a coarse step is also a tick of the finer steps. */
const steps = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  12 * hourMs,
  dayMs,
  2 * dayMs,
] as const;

const isSame = (at: number, before: number, spanMs: number): boolean =>
  Math.floor(at / spanMs) === Math.floor(before / spanMs);

function formatTick(at: number, before: number, spanMs: number): string {
  // The first bar of a day shows its date, whatever the time of its open.
  if (spanMs < dayMs && isSame(at, before, dayMs)) return formatClock(at, 'UTC');
  if (spanMs < month) return formatDayAndMonth(at, 'UTC');
  const date = new Date(at);
  return date.getUTCMonth() === 0 ? `${date.getUTCFullYear()}` : formatMonth(at, 'UTC');
}

/** Returns true for the first bar of a round span: a clock step, else a day, week, month or year. */
function isRound(at: number, before: number, spanMs: number): boolean {
  const months = Math.round(spanMs / month);
  if (months < 1) return !isSame(at, before, spanMs);
  const [now, then] = [new Date(at), new Date(before)];
  const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  return Math.floor(monthOf(now) / months) !== Math.floor(monthOf(then) / months);
}
const longSpans = [7 * dayMs, 14 * dayMs, month, 3 * month, 6 * month, 12 * month, 60 * month] as const;

export interface TimedBar {
  /** Opening time, ms since the epoch. */
  readonly at: number;
  readonly x: number;
}

interface Label extends AxisTick {
  /** The first bar of its day. */
  readonly beginsDay: boolean;
}

/** Of two labels that would touch, keeps the one that begins a day, else the earlier one. */
function dropTouching(labels: readonly Label[]): readonly Label[] {
  const shown: Label[] = [];
  for (const label of labels) {
    const last = shown.at(-1);
    if (!last || label.coord - last.coord >= touchPx) shown.push(label);
    else if (label.beginsDay && !last.beginsDay) shown[shown.length - 1] = label;
  }
  return shown;
}

/**
 * Labels at round times, about 90 px apart. `bars` are the visible ones, oldest first and evenly spaced on the
 * screen.
 */
export function timeTicks(bars: readonly TimedBar[]): AxisTick[] {
  const [first, second] = bars;
  const last = bars.at(-1);
  if (!first || !second || !last) return [];
  const lengthMs = bars.reduce(
    (least, { at }, index) => Math.min(least, at - (bars[index - 1]?.at ?? Number.NEGATIVE_INFINITY)),
    second.at - first.at,
  );
  const widthPx = (last.x - first.x) / (bars.length - 1);
  const leastMs = (leastGapPx / Math.max(widthPx, 1)) * lengthMs;
  const spanMs = [...steps, ...longSpans].find((step) => step >= leastMs) ?? leastMs;
  const labels = bars.flatMap(({ at, x }, index): Label[] => {
    const before = bars[index - 1]?.at ?? at - lengthMs;
    if (x < edgePx || !isRound(at, before, spanMs)) return [];
    const beginsDay = spanMs < dayMs && !isSame(at, before, dayMs);
    return [{ coord: x, value: at, text: formatTick(at, before, spanMs), beginsDay }];
  });
  return dropTouching(labels).map(({ coord, value, text }) => ({ coord, value, text }));
}

/** Drops axis labels closer than 17 px to a tag. */
export const dropCovered = (ticks: readonly AxisTick[], tags: readonly number[]): AxisTick[] =>
  ticks.filter(({ coord }) => tags.every((tag) => Math.abs(tag - coord) >= tagGapPx));

/** Distances between the numbers of the price axis, from the most comfortable to the closest. */
const priceGapsPx = [46, 36, 28, 22, 17] as const;
const leastPrices = 6;

/** The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

interface PriceAxis {
  readonly from: number;
  readonly to: number;
  readonly heightPx: number;
  /** The smallest step of a price. */
  readonly decimals: number;
  readonly format: (price: number) => string;
}

/** Round prices that no tag covers: where tags take numbers, the step gets finer until at least six are left. */
export function priceTicks(axis: PriceAxis, tags: readonly number[]): AxisTick[] {
  const { from, to, heightPx, decimals, format } = axis;
  if (!(to > from) || heightPx <= 0) return [];
  let shown: AxisTick[] = [];
  for (const gapPx of priceGapsPx) {
    const step = Math.max(roundStep(((to - from) / heightPx) * gapPx), 10 ** -decimals);
    const first = Math.ceil(from / step);
    const count = Math.max(0, Math.floor(to / step) - first + 1);
    const ticks = Array.from({ length: count }, (_none, index): AxisTick => {
      const value = Number(((first + index) * step).toFixed(decimals));
      return { value, text: format(value), coord: ((to - value) / (to - from)) * heightPx };
    });
    const inside = ticks.filter(({ coord }) => coord >= halfTextPx && coord <= heightPx - halfTextPx);
    const free = dropCovered(inside, tags);
    if (free.length > shown.length) shown = free;
    if (shown.length >= leastPrices) break;
  }
  return shown;
}
