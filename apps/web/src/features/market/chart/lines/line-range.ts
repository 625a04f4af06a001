/**
 * Extends the price axis to the lines of a pair, so that a newly set take profit is visible. The nearest lines come
 * first, and the bars always take most of the pane. The user scales the axis by hand to reach a line beyond that.
 */
import type { AxisRange } from 'klinecharts';

export interface PriceRange {
  readonly from: number;
  readonly to: number;
}

/** The bars' share of the pane's height. */
const barsShare = 0.6;

export function widenRange(bars: PriceRange, levels: readonly number[]): PriceRange {
  const most = (bars.to - bars.from) / barsShare;
  const beyond = (level: number) => Math.max(bars.from - level, level - bars.to);
  return levels
    .filter((level) => beyond(level) > 0)
    .sort((a, b) => beyond(a) - beyond(b))
    .reduce((range, level) => {
      const wider = { from: Math.min(range.from, level), to: Math.max(range.to, level) };
      return wider.to - wider.from <= most ? wider : range;
    }, bars);
}

/** Converts to the axis's own range; its scale is linear. */
export const toAxisRange = ({ from, to }: PriceRange): AxisRange => ({
  ...{ from, to, range: to - from },
  ...{ realFrom: from, realTo: to, realRange: to - from },
  ...{ displayFrom: from, displayTo: to, displayRange: to - from },
});
