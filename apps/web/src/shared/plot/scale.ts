/** The linear scale of a plot and the shape of its axes; pure. */

/** Places a value on the screen, px. */
export type Scale = (value: number) => number;

/** A linear scale from one interval to another; without a spread every value is in the middle. */
export const createScale =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    from === to ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

export interface Tick {
  readonly value: number;
  /** '' for a gridline without a label. */
  readonly label: string;
}

/** Gridlines at `ticks`, which the plot shows from `low` to `high`. The one at zero is stronger. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
}

/** A label below the plot, at a point of the horizontal axis. */
export interface AxisLabel {
  readonly at: number;
  readonly label: string;
}
