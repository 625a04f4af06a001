/** How often a market moved far enough: what a distance in per cent means, in bars of the past. For display only. */

interface MovedBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

/** The bars in which the price went at least `percent` of its open away from it, up or down. */
export const countMovedBars = (bars: readonly MovedBar[], percent: number): number =>
  bars.filter(({ open, high, low }) => Math.max(high - open, open - low) * 100 >= open * percent).length;
