/**
 * The lines of a pair on its chart, from the account's open positions and open orders. They render nothing: the chart
 * reads their figures when it draws. The list is stable until a position or an order of the account changes.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getAccountTerms, useOpenOrders, useOpenPositions } from '../../../shared/account/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Wallet } from '../../../shared/supabase/index.ts';
import { type Pair, type PriceLine, usePriceStream } from '../../market/index.ts';
import { useProtect } from '../positions/protecting.ts';
import { orderLines } from './order-lines.ts';
import { type LinedPair, positionLines } from './position-lines.ts';
import { useAmend } from './useAmend.ts';

const none: readonly never[] = [];

export function usePriceLines({ symbol, tickSize, stepSize, limits }: Pair): readonly PriceLine[] {
  const signedIn = useSignedIn();
  const { accountId } = signedIn;
  const cache = useQueryClient();
  const stream = usePriceStream();
  const protect = useProtect();
  const amend = useAmend();
  const { data: positions = none } = useOpenPositions();
  const { data: orders = none } = useOpenOrders();
  const { feeRate } = getAccountTerms(signedIn);
  // The catalogue is refetched every minute; the fields used here rarely change.
  const pair = useMemo<LinedPair>(
    () => ({ symbol, tickSize, stepSize, limits }),
    [symbol, tickSize, stepSize, limits],
  );
  const ofPositions = useMemo(
    () => positionLines(stream, pair, positions, protect),
    [stream, pair, positions, protect],
  );
  const ofOrders = useMemo(() => {
    const available = () =>
      cache.getQueryData<Wallet | null>(queryKeys.wallet(accountId))?.availableBalance ?? null;
    return orderLines(orders, { stream, pair, feeRate, available, amend });
  }, [stream, pair, orders, feeRate, amend, cache, accountId]);
  return useMemo(() => [...ofPositions, ...ofOrders], [ofPositions, ofOrders]);
}
