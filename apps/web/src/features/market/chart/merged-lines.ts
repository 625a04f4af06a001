/**
 * Fewer levels for a pair with many positions. More than three of one side become one entry at their size-weighted mean,
 * with the sum of their results, and of their liquidations the one that is reached first. For the eye only: sums are
 * made of figures as displayed, not of exact money.
 */
import { directionOf, formatAmount, noFigure } from '../../../shared/numbers/index.ts';
import type { EntryLine, LiquidationLine, PillPart, PriceLine } from './price-lines.ts';

const mostApart = 3;

function sumOfResults(entries: readonly EntryLine[]): PillPart {
  let sum = 0;
  for (const { pnl } of entries) {
    const result = pnl();
    if (result === null) return { text: noFigure, tone: 'none' };
    sum += result;
  }
  return { text: formatAmount(sum, 'always'), tone: directionOf(sum) };
}

function mergedEntry(entries: readonly EntryLine[], first: EntryLine): EntryLine {
  const { side, formatPrice } = first;
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  const price = entries.reduce((sum, entry) => sum + entry.price * entry.size, 0) / size;
  return {
    ...first,
    id: `${side}-entries`,
    price,
    priceText: formatPrice(price),
    size,
    head: `${side} ${entries.length} positions`,
    parts: () => [sumOfResults(entries)],
  };
}

export function mergedLines(lines: readonly PriceLine[]): readonly PriceLine[] {
  return (['LONG', 'SHORT'] as const).flatMap((side): readonly PriceLine[] => {
    const ofSide = lines.filter((line) => line.side === side);
    const entries = ofSide.filter((line): line is EntryLine => line.tone === 'entry');
    const [first] = entries;
    if (!first || entries.length <= mostApart) return ofSide;
    const liquidations = ofSide.filter((line): line is LiquidationLine => line.tone === 'liquidation');
    const reached = liquidations.sort((a, b) => (side === 'LONG' ? b.price - a.price : a.price - b.price));
    return [mergedEntry(entries, first), ...reached.slice(0, 1)];
  });
}
