/**
 * Formats every figure on screen: grouped, with a true minus (U+2212) and a fixed number of decimals. It formats the decimal
 * text of the wire, not the binary fraction, so that 1.005 rounds as its digits say. Invariant: a figure that rounds to zero
 * has no sign.
 */
export type Sign = 'negative' | 'always';
/** The direction of a figure; zero and unknown have none. */
export type Direction = 'up' | 'down' | 'none';

/** Replaces a missing figure. */
export const noFigure = '–';
/** USDT is shown with two decimals (A16). */
export const usdtDecimals = 2;
const minPriceDecimals = 2;
/** The maximum number of decimals on the wire. */
export const maxDecimals = 8;

/** Replaces the hyphen of a formatted number. */
export const toTrueMinus = (text: string): string => text.replace('-', '\u2212');

const formatters = new Map<string, Intl.NumberFormat>();
function formatter(decimals: number, sign: Sign): Intl.NumberFormat {
  const key = `${decimals}${sign}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const created = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: sign === 'always' ? 'exceptZero' : 'negative',
  });
  formatters.set(key, created);
  return created;
}

const isFiniteNumber = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && Number.isFinite(value);

/** `value` with `decimals` decimals; an en dash when there is none. */
export function formatFigure(
  value: number | null | undefined,
  decimals: number,
  sign: Sign = 'negative',
): string {
  if (!isFiniteNumber(value)) return noFigure;
  return toTrueMinus(formatter(decimals, sign).format(`${value}`));
}

/** Decimals of a step such as a tick or lot size: 0.00001 has 5, 1 has 0, 0.25 has 2. */
export function decimalsOfStep(step: number): number {
  if (!(step > 0)) return maxDecimals;
  const [mantissa = '', exponent = '0'] = `${step}`.toLowerCase().split('e');
  const fraction = mantissa.split('.')[1]?.length ?? 0;
  return Math.min(maxDecimals, Math.max(0, fraction - Number(exponent)));
}

/** A price with the pair's tick decimals, at least two (A16). */
export const formatPrice = (
  value: number | null | undefined,
  tickSize: number,
  sign: Sign = 'negative',
): string => formatFigure(value, Math.max(minPriceDecimals, decimalsOfStep(tickSize)), sign);

/** A size with the pair's step decimals. */
export const formatSize = (value: number | null | undefined, stepSize: number): string =>
  formatFigure(value, decimalsOfStep(stepSize));

/** Money in USDT without its unit. */
export const formatAmount = (value: number | null | undefined, sign: Sign = 'negative'): string =>
  formatFigure(value, usdtDecimals, sign);

/** Money as the dashboard states it (DASH-07): the sign, the dollar, two decimals. */
export function formatDollars(value: number | null | undefined, sign: Sign = 'negative'): string {
  const text = formatAmount(value, sign);
  return text === noFigure ? text : text.replace(/^([+\u2212]?)/, '$1$$');
}

const percentDecimals = 2;
/** `value` is already in per cent: 33.18 is +33.18%. One decimal is for where two have no room. */
export function formatPercent(
  value: number | null | undefined,
  sign: Sign = 'always',
  decimals: 1 | 2 = percentDecimals,
): string {
  return isFiniteNumber(value) ? `${formatFigure(value, decimals, sign)}%` : noFigure;
}

const compact = new Map<number, Intl.NumberFormat>();
/** Volumes: 2.87B. With `decimalsMin` of 2 the width stays while a figure changes; 1.00B. */
export function formatCompact(value: number | null | undefined, decimalsMin: 0 | 2 = 0): string {
  if (!isFiniteNumber(value)) return noFigure;
  let format = compact.get(decimalsMin);
  if (format === undefined) {
    // Created on first use: a formatter costs milliseconds, and the first page shows no volumes.
    format = new Intl.NumberFormat('en-US', {
      notation: 'compact',
      minimumFractionDigits: decimalsMin,
      maximumFractionDigits: 2,
    });
    compact.set(decimalsMin, format);
  }
  return format.format(value);
}

/** The direction of a figure as shown; one that rounds to zero has none. */
export function directionOf(value: number | null | undefined, decimals = usdtDecimals): Direction {
  if (!isFiniteNumber(value) || Math.abs(value) < 0.5 / 10 ** decimals) return 'none';
  return value > 0 ? 'up' : 'down';
}

/** The length of the common prefix of two figures as text; the rest changed. */
export function commonPrefixLength(before: string, after: string): number {
  if (before.length !== after.length) return 0;
  let index = 0;
  while (index < after.length && before[index] === after[index]) index += 1;
  return index;
}
