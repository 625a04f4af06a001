/**
 * The user's fills of a pair for its chart: the opening and the closing of each of its positions. A net position has any number of fills,
 * which are read from the server, and again with each change of the pair's positions.
 */
import type { Side } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { FillMark, Pair } from '../../market/index.ts';
import { loadExecutionMarks } from '../../order-book/index.ts';

type Steps = Pick<Pair, 'tickSize' | 'stepSize'>;
type Filled = Pick<
  Position,
  'id' | 'rules' | 'side' | 'size' | 'entryPrice' | 'createdAt' | 'closedAt' | 'closePrice' | 'realizedPnl'
>;

/** None of a net position: its size and entry price are the sum and the average of its fills. */
export function toFillMarks(position: Filled, { tickSize, stepSize }: Steps): readonly FillMark[] {
  const { id, rules, side, size, entryPrice, createdAt, closedAt, closePrice, realizedPnl } = position;
  if (rules === 'perpetual') return [];
  const formatFill = (done: Side, price: number) =>
    `${done === 'BUY' ? 'Bought' : 'Sold'} ${formatSize(size, stepSize)} at ${formatPrice(price, tickSize)}`;
  const opening = { id: `${id}-open`, at: Date.parse(createdAt), side, text: formatFill(side, entryPrice) };
  if (closedAt === null || closePrice === null) return [opening];
  const other = side === 'BUY' ? 'SELL' : 'BUY';
  const text = `${formatFill(other, closePrice)}, ${formatAmount(realizedPnl, 'always')} USDT`;
  return [opening, { id: `${id}-close`, at: Date.parse(closedAt), side: other, text }];
}

const none: readonly never[] = [];

export function useFillMarks(pair: Pair): readonly FillMark[] {
  const { symbol, tickSize, stepSize } = pair;
  const reader = useSignedIn();
  const { data: open = none } = useOpenPositions();
  const { data: closed = none } = useClosedPositions();
  const positions = useMemo(
    () => [...closed, ...open].filter((position) => position.symbol === symbol),
    [open, closed, symbol],
  );
  // A fill changes a position, and with it the latest version.
  const version = Math.max(0, ...positions.map(({ accountVersion }) => accountVersion));
  const { data: executed = none } = useQuery<readonly FillMark[]>({
    queryKey: [...queryKeys.fills(reader.accountId), symbol, version],
    // Those of a former version are not shown again.
    gcTime: 0,
    enabled: positions.some(({ rules }) => rules === 'perpetual'),
    // Meanwhile those of before stay, but not those of another pair.
    placeholderData: (previous, query) => (query?.queryKey.includes(symbol) ? previous : undefined),
    queryFn: async ({ signal }) => (await loadExecutionMarks()).readExecutionMarks(reader, pair, signal),
  });
  return useMemo(
    () => [...positions.flatMap((position) => toFillMarks(position, { tickSize, stepSize })), ...executed],
    [positions, executed, tickSize, stepSize],
  );
}
