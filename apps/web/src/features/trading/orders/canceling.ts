/**
 * Canceling an order that waits (CALL-46). The question goes when the order does, whether it was filled, rejected or
 * canceled elsewhere.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useOpenOrders, usePastOrders } from '../../../shared/account/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatSize } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { answerOf, fromWire, messageOf, type Order, type Supabase } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import type { StepsOf } from '../positions/steps.ts';
import { showOrder } from '../ticket/orders.ts';
import { orderWords } from './words.ts';

/** Null when the order is not there any more. */
export async function requestCancel(supabase: Supabase, id: string): Promise<Order | null> {
  const request = supabase.rest.from('orders').update({ status: 'CANCELED' }).eq('id', id);
  const row = await answerOf(request.select('*').maybeSingle());
  return row === null ? null : fromWire(row);
}

/** `order` is null while nothing is asked. */
export function useCanceling(stepsOf: StepsOf) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: open } = useOpenOrders();
  const { data: past } = usePastOrders();
  const [askedId, setAskedId] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const order = (askedId !== null && open?.find(({ id }) => id === askedId)) || null;

  const ask = useCallback(({ id }: Order) => {
    setError(null);
    setAskedId(id);
  }, []);
  const keep = () => setAskedId(null);

  useEffect(() => {
    // While our own request is under way its answer says more than the list.
    if (askedId === null || !open || order || pending) return;
    setAskedId(null);
    const gone = past?.find(({ id }) => id === askedId);
    if (gone) announce('info', texts.orderFinal(gone.status));
  }, [askedId, open, past, order, pending]);

  const cancel = async () => {
    if (pending || !order) return;
    setPending(true);
    setError(null);
    try {
      const row = await requestCancel(supabase, order.id);
      if (row) showOrder(cache, user.id, row);
      const { stepSize } = stepsOf(order.symbol);
      announce(
        'success',
        `${orderWords(order)} ${formatSize(order.size, stepSize)} ${order.symbol} canceled`,
      );
      setAskedId(null);
    } catch (cause) {
      log.warn('Canceling an order failed', cause);
      setError(messageOf(cause, texts.cancelOrderFailed));
    } finally {
      setPending(false);
    }
    const keys = [
      queryKeys.wallet(user.id),
      queryKeys.orders(user.id, 'open'),
      queryKeys.orders(user.id, 'past'),
    ];
    await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
  };
  return { order, ask, keep, cancel, pending, error };
}
export type Canceling = ReturnType<typeof useCanceling>;
