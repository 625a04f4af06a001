/** The scale of the balance curve: few gridlines at round values, with the whole curve between the outer two. */

/** The minimum span of an axis, as a fraction of the balance, so that tiny changes do not look like large ones. */
const minSpread = 0.02;
const roundSteps = [1, 2, 2.5, 5, 10, 20, 25, 50];

export interface Axis {
  readonly from: number;
  readonly step: number;
}

/** An axis with `lines` multiples of a round step that enclose `low` to `high` (USDT), the curve about in the middle. */
export function createBalanceAxis(low: number, high: number, lines: number): Axis {
  const gaps = lines - 1;
  const spread = Math.max(high - low, Math.abs(high) * minSpread, 1);
  const power = 10 ** Math.floor(Math.log10(spread / gaps));
  const axisOf = (step: number): Axis => {
    const from = Math.floor((low + high - step * gaps) / 2 / step) * step;
    // A balance is never negative, so its axis is not either.
    return { from: low >= 0 ? Math.max(0, from) : from, step };
  };
  const axes = roundSteps
    .map((factor) => factor * power)
    .filter((step) => step * gaps >= spread)
    .map(axisOf);
  return axes.find(({ from, step }) => from <= low && from + step * gaps >= high) ?? axisOf(spread);
}
