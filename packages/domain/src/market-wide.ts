/**
 * Shared figures of the market-wide indices: the median, and whether enough markets are known. Numbers are plain,
 * because an index is not money. Invariant: no function here returns NaN or an infinity.
 */

/** The middle value in order of size, the mean of the two middle ones of an even number; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const ordered = [...values].sort((left, right) => left - right);
  const upper = ordered[Math.floor(ordered.length / 2)];
  const lower = ordered[Math.ceil(ordered.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : lower / 2 + upper / 2;
}

/** `figures` without the unknown ones; null when fewer than half remain, which would not represent the market. */
export function representativeFigures<Figure>(figures: readonly (Figure | null)[]): readonly Figure[] | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length > 0 && known.length * 2 >= figures.length ? known : null;
}

/** The smallest and the largest price that the platform can hold (`numeric(28, 8)`): their quotients are numbers too. */
const leastPrice = 1e-8;
const mostPrice = 1e20;

/** A usable price; null for any other number. */
export const priceOrNull = (price: number | null | undefined): number | null =>
  price !== null && price !== undefined && price >= leastPrice && price < mostPrice ? price : null;

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
