import { directionOf, formatFigure, maxDecimals, usdtDecimals } from './format.ts';

/** A gain or loss, signed, with extra decimals where a non-zero value would read as zero (−0.003). */
export function formatPnl(value: number | null | undefined): string {
  const isTiny = value && directionOf(value) === 'none';
  const decimals = isTiny ? Math.min(maxDecimals, Math.ceil(-Math.log10(Math.abs(value)))) : usdtDecimals;
  return formatFigure(value, decimals, 'always');
}
