/**
 * Bounded normal draws from uniform bits, by a table of quantiles. In a path of random bisection, the first half predicts
 * nothing of the second only where the displacements of the midpoints are normal. With steps of one size up or down, the half
 * of a minute leaves two places for its end, and with a triangle the end leans back a little.
 *
 * Invariant: mean 0 and variance 1 over all entries, exactly symmetric, never beyond `normalLimit`; the bound is what makes
 * extremes provable.
 */

/** The share of a normal distribution below -4 of its standard deviations: at both of these it is cut off. */
const cutShare = 3.167124183311998e-5;
const entries = 2 ** 16;

/** Coefficients of Acklam's rational approximation of the normal quantile (2003), relative error below 1.2e-9. */
const tail = {
  over: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  under: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
} as const;
const middle = {
  over: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ],
  under: [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ],
} as const;
const tailBelow = 0.02425;

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** Of `p` from 0 to 0.5. */
function lowerQuantile(p: number): number {
  if (p < tailBelow) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(tail.over, q) / polynomial(tail.under, q);
  }
  const q = p - 0.5;
  return (q * polynomial(middle.over, q * q)) / polynomial(middle.under, q * q);
}

/** By the upper 16 bits of a draw, and one more, so that each entry has a next one. */
const quantiles = makeQuantiles();

function makeQuantiles(): Float64Array {
  const table = new Float64Array(entries + 1);
  let squares = 0;
  for (let entry = 0; entry < entries / 2; entry += 1) {
    const p = cutShare + ((entry + 0.5) / entries) * (1 - 2 * cutShare);
    const quantile = lowerQuantile(p);
    table[entry] = quantile;
    table[entries - 1 - entry] = -quantile;
    squares += 2 * quantile * quantile;
  }
  const deviation = Math.sqrt(squares / entries);
  for (let entry = 0; entry < entries; entry += 1) table[entry] = (table[entry] ?? 0) / deviation;
  table[entries] = table[entries - 1] ?? 0;
  return table;
}

/** The greatest size of a draw. */
export const normalLimit = quantiles[entries] ?? 0;

/** Of 32 bits, between the entries too: as fine as what the draw decides is looked at. */
export function normalOf32(bits: number): number {
  const entry = bits >>> 16;
  const from = quantiles[entry] ?? 0;
  return from + ((bits & 65_535) / 65_536) * ((quantiles[entry + 1] ?? 0) - from);
}

/**
 * A group of draws whose largest magnitude is known before them, with the joint distribution of independent ones. The largest
 * of so many shares of the table is U^(1/size); it belongs to any one of them, and the others are below it, independently.
 * The head of a group, 16 bits, encodes the largest magnitude and its place.
 */
interface BoundedGroup {
  readonly size: number;
  /** By the quotient of head and size: the first entry of the table that a draw of the group can have, and its size. */
  readonly edges: Uint16Array;
  readonly limits: Float64Array;
}

export function boundedGroup(size: number): BoundedGroup {
  const classes = Math.ceil(2 ** 16 / size);
  const edges = Uint16Array.from({ length: classes }, (_, index) =>
    Math.floor((entries / 2) * (1 - ((index + 0.5) / classes) ** (1 / size))),
  );
  return { size, edges, limits: Float64Array.from(edges, (edge) => -(quantiles[edge] ?? 0)) };
}

/** The greatest size in a group. */
export const limitOf = ({ size, limits }: BoundedGroup, head: number): number =>
  limits[(head / size) | 0] ?? 0;

/** Adds `amplitude` times the draws of a group to `sums`, both from place 1 on; their 16 bits are `words` from `from` on. */
export function addBounded(
  { size, edges }: BoundedGroup,
  head: number,
  words: Uint16Array,
  from: number,
  amplitude: number,
  sums: Float64Array,
): void {
  const index = (head / size) | 0;
  const greatest = 1 + head - index * size;
  const edge = edges[index] ?? 0;
  const span = entries - 2 * edge;
  for (let position = 1; position <= size; position += 1) {
    const bits = words[from + position] ?? 0;
    let entry = edge + ((bits * span) >>> 16);
    if (position === greatest) entry = bits < entries / 2 ? edge : entries - 1 - edge;
    sums[position] = (sums[position] ?? 0) + amplitude * (quantiles[entry] ?? 0);
  }
}
