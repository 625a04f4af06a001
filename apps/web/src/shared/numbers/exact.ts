/** Figures with all their decimals, and typed figures. Apart from `format.ts`, which every page loads. */
import { decimalsOfStep, formatFigure, noFigure, type Sign, usdtDecimals } from './format.ts';

/** `value` with all its decimals, at most eight and at least `decimalsMin`; an en dash when there is none. */
export const formatExact = (
  value: number | null,
  decimalsMin: number = usdtDecimals,
  sign: Sign = 'negative',
): string => {
  if (value === null) return noFigure;
  const decimals = value === 0 ? 0 : decimalsOfStep(Math.abs(value));
  return formatFigure(value, Math.max(decimalsMin, decimals), sign);
};

/** Replaces the true minus (U+2212) of a typed number, which the parsers do not read. */
export const toPlainMinus = (text: string): string => text.replace('\u2212', '-');
