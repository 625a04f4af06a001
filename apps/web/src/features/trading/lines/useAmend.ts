/**
 * Moves an open order to another price (`amend_order`). Invariant: one move has one client id, however often it is
 * sent. A refused order stays open at its old price.
 */
import { type Price, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Order, unwrap } from '../../../shared/supabase/index.ts';
import { retryTransient } from './retry-transient.ts';

/** The returned function is stable, resolves with the order as it then is and rejects when the server refuses. */
export function useAmend(): (
  order: Pick<Order, 'id' | 'price' | 'triggerPrice' | 'triggeredAt'>,
  price: Price,
) => Promise<Order> {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  return useCallback(
    async ({ id, price: limit, triggerPrice, triggeredAt }, to) => {
      const price = toDecimalString(to);
      // An order with a limit that waits for its trigger keeps the limit.
      const isTrigger = limit !== null && triggerPrice !== null && triggeredAt === null;
      const args = {
        ...(isTrigger ? { p_price: limit, p_trigger_price: price } : { p_price: price }),
        ...{ p_order_id: id, p_client_id: newClientId() },
      };
      try {
        const row = fromWire(await retryTransient(() => unwrap(supabase.rest.rpc('amend_order', args))));
        applyAccountChange(cache, accountId, { table: 'orders', row });
        return row;
      } finally {
        // The reserve follows the price, which may also fill the order. The refetch also replaces a lost answer.
        refetchAccount(cache, accountId);
      }
    },
    [accountId, supabase, cache],
  );
}
