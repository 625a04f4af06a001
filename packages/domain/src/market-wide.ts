/**
 * What the indices of the whole market share: the middle of what its markets show, and when enough of them show anything.
 * Plain numbers, because an index is nobody's money. Invariant: nothing here returns NaN or an infinity.
 */

/** The middle one in order of size, the mean of the two middle ones of an even number; null of none. */
export function median(values: readonly number[]): number | null {
  const ordered = [...values].sort((left, right) => left - right);
  const upper = ordered[Math.floor(ordered.length / 2)];
  const lower = ordered[Math.ceil(ordered.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : lower / 2 + upper / 2;
}

/** `figures` without what is not known; null when that leaves fewer than half, which would not speak for the whole. */
export function atLeastHalf<Figure>(figures: readonly (Figure | null)[]): readonly Figure[] | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length > 0 && known.length * 2 >= figures.length ? known : null;
}

/** The smallest and the largest price that the platform can hold (`numeric(28, 8)`): their quotients are numbers too. */
const leastPrice = 1e-8;
const mostPrice = 1e20;

/** A price as it can be used; null when it is none. */
export const priceOrNull = (price: number | null | undefined): number | null =>
  price !== null && price !== undefined && price >= leastPrice && price < mostPrice ? price : null;

export const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
