/** Figures that tell a series of returns from a market's. All are of the population, none is corrected for bias. */

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** 0 for a normal distribution. */
export function excessKurtosisOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const deviation = deviationOf(values);
  return meanOf(values.map((value) => ((value - mean) / deviation) ** 4)) - 3;
}

export function correlationOf(left: readonly number[], right: readonly number[]): number {
  const [meanLeft, meanRight] = [meanOf(left), meanOf(right)];
  const covariance = meanOf(left.map((value, index) => (value - meanLeft) * (right[index]! - meanRight)));
  return covariance / (deviationOf(left) * deviationOf(right));
}

export const autocorrelationOf = (values: readonly number[], lag: number): number =>
  correlationOf(values.slice(lag), values.slice(0, -lag));

/** What each value adds to the one before. */
export const changesOf = (values: readonly number[]): number[] =>
  values.slice(1).map((value, index) => value - values[index]!);
