/**
 * Cancels an open order (CALL-46). The confirmation closes when the order is filled, rejected or canceled elsewhere.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useOpenOrders, usePastOrders } from '../../../shared/account/index.ts';
import { failedWith } from '../../../shared/form/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { useDialogRow } from '../dialog-row.ts';
import type { StepsOf } from '../positions/steps.ts';
import { cancelOrder } from '../requests.ts';
import { getOrderLabel, getRemainingText } from './labels.ts';

/** `order` is null while the dialog is closed. */
export function useCanceling(stepsOf: StepsOf) {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: open } = useOpenOrders();
  const { data: past } = usePastOrders();
  const onGone = (orderId: string) => {
    const gone = past?.find(({ id }) => id === orderId);
    if (gone) showToast('info', texts.orderFinal(gone.status));
  };
  const { row: order, ask, end: keep, run, pending, error } = useDialogRow(open, onGone);

  const cancel = async () => {
    if (pending || !order) return;
    await run(async () => {
      const row = await cancelOrder(supabase, order.id);
      if (row) applyAccountChange(cache, accountId, { table: 'orders', row });
      const { stepSize } = stepsOf(order.symbol);
      showToast(
        'success',
        `${getOrderLabel(order)} ${getRemainingText(order, stepSize).toLowerCase()} ${order.symbol} canceled`,
      );
      keep();
    }, failedWith(texts.cancelOrderFailed));
    const keys = [
      queryKeys.wallet(accountId),
      queryKeys.orders(accountId, 'open'),
      queryKeys.orders(accountId, 'past'),
    ];
    await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
  };
  return { order, ask, keep, cancel, pending, error };
}
export type Canceling = ReturnType<typeof useCanceling>;
