/** The user's fills of a pair for its chart: the opening and the closing of each of its positions. */
import { useMemo } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { FillMark, Pair } from '../../market/index.ts';

type Steps = Pick<Pair, 'tickSize' | 'stepSize'>;
type Filled = Pick<
  Position,
  'id' | 'side' | 'size' | 'entryPrice' | 'createdAt' | 'closedAt' | 'closePrice' | 'realizedPnl'
>;

export function toFillMarks(position: Filled, { tickSize, stepSize }: Steps): readonly FillMark[] {
  const { id, side, size, entryPrice, createdAt, closedAt, closePrice, realizedPnl } = position;
  const isBuy = side === 'BUY';
  const amount = formatSize(size, stepSize);
  const opening: FillMark = {
    id: `${id}-open`,
    at: Date.parse(createdAt),
    side,
    text: `${isBuy ? 'Bought' : 'Sold'} ${amount} at ${formatPrice(entryPrice, tickSize)}`,
  };
  if (closedAt === null || closePrice === null) return [opening];
  const result = formatAmount(realizedPnl, 'always');
  const closing: FillMark = {
    id: `${id}-close`,
    at: Date.parse(closedAt),
    side: isBuy ? 'SELL' : 'BUY',
    text: `${isBuy ? 'Sold' : 'Bought'} ${amount} at ${formatPrice(closePrice, tickSize)}, ${result} USDT`,
  };
  return [opening, closing];
}

const none: readonly never[] = [];

export function useFillMarks({ symbol, tickSize, stepSize }: Pair): readonly FillMark[] {
  const { data: open = none } = useOpenPositions();
  const { data: closed = none } = useClosedPositions();
  return useMemo(
    () =>
      [...closed, ...open]
        .filter((position) => position.symbol === symbol)
        .flatMap((position) => toFillMarks(position, { tickSize, stepSize })),
    [open, closed, symbol, tickSize, stepSize],
  );
}
