/**
 * Reverses a position: one command closes it and opens the other side with the same size and leverage. Invariant: a
 * reverse whose answer was lost is sent again with the same client id and price, so that it happens once. The
 * confirmation closes when the position is closed in any other way.
 */
import { texts } from '@fulcrum/contract/texts';
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { sideLabel, useOpenPositions } from '../../../shared/account/index.ts';
import { failedWith } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { useDialogRow } from '../dialog-row.ts';
import { retryTransient } from '../lines/retry-transient.ts';
import { reversePosition } from '../requests.ts';
import { getMark } from './figures.ts';
import type { StepsOf } from './steps.ts';

/** `position` is null while the dialog is closed. */
export function useReversing(stepsOf: StepsOf) {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const { data: open } = useOpenPositions();
  const onGone = () => showToast('info', texts.positionAlreadyClosed);
  const { row: position, ask, end: cancel, run, pending, error } = useDialogRow(open, onGone);

  const reverse = async () => {
    if (pending || !position) return;
    await run(async () => {
      const mark = getMark(stream, position);
      const price = mark === null ? null : toDecimalString(parseDecimal(mark));
      const request = { positionId: position.id, price, clientId: newClientId() };
      const row = await retryTransient(() => reversePosition(supabase, request));
      const { stepSize, tickSize } = stepsOf(row.symbol);
      showToast(
        'success',
        `Reversed: now ${sideLabel(row.side).toLowerCase()} ${formatSize(row.size, stepSize)} ${row.symbol} at ${formatPrice(row.entryPrice, tickSize)}`,
      );
      applyAccountChange(cache, accountId, { table: 'positions', row });
      cancel();
    }, failedWith('Failed to reverse the position'));
    // Also after a failure: the position may be reversed nevertheless.
    refetchAccount(cache, accountId);
  };
  return { position, ask, cancel, reverse, pending, error };
}
export type Reversing = ReturnType<typeof useReversing>;
