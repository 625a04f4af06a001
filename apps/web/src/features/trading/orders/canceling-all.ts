/** Cancels every order that the panel shows, one by one; orders that are no longer open are skipped. */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useOpenOrders } from '../../../shared/account/index.ts';
import { log } from '../../../shared/log/log.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, type Order } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { useBatch } from '../batch.ts';
import { buildPlan, getSendable } from '../batch-plan.ts';
import { cancelOrder } from '../requests.ts';

const noOrders: readonly Order[] = [];
const never = () => false;

/** `rows` is null while the dialog is closed. */
export function useCancelingAll() {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: open = noOrders } = useOpenOrders();
  const [selected, setSelected] = useState<readonly Order[] | null>(null);
  const { outcomes, running, run, stop, reset } = useBatch<Order, Order | null>({
    execute: async ({ id }) => {
      const row = await cancelOrder(supabase, id);
      if (row) applyAccountChange(cache, accountId, { table: 'orders', row });
      return row;
    },
    toReason: (cause) => {
      log.warn('Canceling one of many orders failed', cause);
      return getErrorMessage(cause, texts.cancelOrderFailed);
    },
  });
  const rows = useMemo(
    () => selected && buildPlan({ selected, live: open, outcomes, isBlocked: never }),
    [selected, open, outcomes],
  );
  const ask = useCallback(
    (orders: readonly Order[]) => {
      reset();
      setSelected(orders);
    },
    [reset],
  );
  const end = () => setSelected(null);
  const cancel = async () => {
    if (running || !rows) return;
    const sendableOrders = getSendable(rows);
    const after = await run(sendableOrders);
    refetchAccount(cache, accountId);
    if (!sendableOrders.every(({ id }) => after.get(id)?.kind === 'done')) return;
    showToast(
      'success',
      sendableOrders.length === 1 ? '1 order canceled' : `${sendableOrders.length} orders canceled`,
    );
    end();
  };
  return { rows, running, ask, end, cancel, stop };
}
export type CancelingAll = ReturnType<typeof useCancelingAll>;
