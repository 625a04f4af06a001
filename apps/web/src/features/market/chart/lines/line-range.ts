/**
 * How far the price axis opens for the lines of a pair: somebody who has just set a take profit looks for it on the chart. The
 * nearest lines are taken in first, and the bars keep most of the pane whatever lines there are; a line beyond that is
 * reached by scaling the axis by hand.
 */
import type { AxisRange } from 'klinecharts';

export interface PriceRange {
  readonly from: number;
  readonly to: number;
}

/** What of the pane's height the bars keep. */
const barsShare = 0.6;

export function rangeWithLines(bars: PriceRange, levels: readonly number[]): PriceRange {
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

/** The same in the words of the axis, whose scale is a plain one. */
export const axisRange = ({ from, to }: PriceRange): AxisRange => ({
  ...{ from, to, range: to - from },
  ...{ realFrom: from, realTo: to, realRange: to - from },
  ...{ displayFrom: from, displayTo: to, displayRange: to - from },
});
