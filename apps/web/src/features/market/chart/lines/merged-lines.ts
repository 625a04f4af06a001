/**
 * Merges the levels of a pair with many positions. More than three entries of one side become one at their
 * size-weighted mean, with the sum of their results and the liquidation that is reached first. Take profits, stop
 * losses and all orders keep their own lines, up to a limit.
 *
 * Display only: sums are made of figures as displayed, not of exact money.
 */
import { directionOf, formatAmount, noFigure } from '../../../../shared/numbers/index.ts';
import {
  type EntryLine,
  isMovable,
  type LiquidationLine,
  type PillPart,
  type PriceLine,
} from './price-line.ts';

const separateMax = 3;
/** More lines than this are not readable. The tables list all of them. */
const linesMax = 60;

function sumOfResults(entries: readonly EntryLine[]): PillPart {
  let sum = 0;
  for (const { pnl } of entries) {
    const result = pnl();
    if (result === null) return { text: noFigure, tone: 'none' };
    sum += result;
  }
  return { text: formatAmount(sum, 'always'), tone: directionOf(sum) };
}

function mergeEntries(entries: readonly EntryLine[], first: EntryLine): EntryLine {
  const { side, formatPrice } = first;
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  const price = entries.reduce((sum, entry) => sum + entry.price * entry.size, 0) / size;
  const head = `${side} ${entries.length} positions`;
  return {
    ...first,
    id: `${side}-entries`,
    price,
    priceText: formatPrice(price),
    size,
    head,
    name: `${head}, mean entry ${formatPrice(price)}`,
    parts: () => [sumOfResults(entries)],
    // A handle could not name one of the merged positions.
    handles: [],
    dismissal: null,
  };
}

export function mergeLines(lines: readonly PriceLine[]): readonly PriceLine[] {
  const levels = (['LONG', 'SHORT'] as const).flatMap((side): readonly PriceLine[] => {
    const ofSide = lines.filter((line) => line.side === side && line.kind !== 'order');
    const entries = ofSide.filter((line): line is EntryLine => line.kind === 'entry');
    const [first] = entries;
    if (!first || entries.length <= separateMax) return ofSide;
    const liquidations = ofSide.filter((line): line is LiquidationLine => line.kind === 'liquidation');
    const reached = liquidations.sort((a, b) => (side === 'LONG' ? b.price - a.price : a.price - b.price));
    return [mergeEntries(entries, first), ...reached.slice(0, 1), ...ofSide.filter(isMovable)];
  });
  const orders = lines.filter(({ kind }) => kind === 'order');
  return [...levels, ...orders].slice(0, linesMax);
}
