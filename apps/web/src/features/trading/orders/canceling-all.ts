/** Canceling every order that the panel shows, one by one; what is no longer open is left alone. */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useOpenOrders } from '../../../shared/account/index.ts';
import { log } from '../../../shared/log/log.ts';
import { readAccountAgain } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, type Order } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { useBatch } from '../batch.ts';
import { planOf, sendable } from '../batch-plan.ts';
import { showOrder } from '../ticket/orders.ts';
import { requestCancel } from './canceling.ts';

const noOrders: readonly Order[] = [];
const never = () => false;

/** `rows` is null while nothing is asked. */
export function useCancelingAll() {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: open = noOrders } = useOpenOrders();
  const [asked, setAsked] = useState<readonly Order[] | null>(null);
  const { outcomes, running, run, stop, reset } = useBatch<Order, Order | null>({
    act: async ({ id }) => {
      const row = await requestCancel(supabase, id);
      if (row) showOrder(cache, user.id, row);
      return row;
    },
    reasonOf: (cause) => {
      log.warn('Canceling one of many orders failed', cause);
      return messageOf(cause, texts.cancelOrderFailed);
    },
  });
  const rows = useMemo(
    () => asked && planOf({ asked, live: open, outcomes, isBlocked: never }),
    [asked, open, outcomes],
  );
  const ask = useCallback(
    (orders: readonly Order[]) => {
      reset();
      setAsked(orders);
    },
    [reset],
  );
  const end = () => setAsked(null);
  const cancel = async () => {
    if (running || !rows) return;
    const wanted = sendable(rows);
    const after = await run(wanted);
    readAccountAgain(cache, user.id);
    if (!wanted.every(({ id }) => after.get(id)?.kind === 'done')) return;
    announce('success', wanted.length === 1 ? '1 order canceled' : `${wanted.length} orders canceled`);
    end();
  };
  return { rows, running, ask, end, cancel, stop };
}
export type CancelingAll = ReturnType<typeof useCancelingAll>;
