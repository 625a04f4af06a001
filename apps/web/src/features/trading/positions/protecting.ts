/**
 * Take profit and stop loss of an open position (A21), set by the dialog or by a line on the chart. Commands of one
 * position run one after the other, so each starts from the values the previous one set. A repeat sets the same
 * values, so a lost answer is harmless. The dialog closes when the position is closed.
 */
import { asPrice, type Price, type Protection, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useOpenPositions } from '../../../shared/account/index.ts';
import { failedWith } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Position, unwrap } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { useDialogRow } from '../dialog-row.ts';
import { retryTransient } from '../lines/retry-transient.ts';

export const protectFailedText = 'Failed to save take profit and stop loss';

/** By position: the command that the next one waits for. */
const lastCommandByPosition = new Map<string, Promise<unknown>>();

async function runInOrder<Answer>(positionId: string, send: () => Promise<Answer>): Promise<Answer> {
  const before = lastCommandByPosition.get(positionId);
  // The previous command's own caller handles its failure.
  const command = (before ?? Promise.resolve()).then(send, send);
  lastCommandByPosition.set(positionId, command);
  try {
    return await command;
  } finally {
    if (lastCommandByPosition.get(positionId) === command) lastCommandByPosition.delete(positionId);
  }
}

const exact = (price: number | null): Price | null => (price === null ? null : asPrice(parseDecimal(price)));
const decimal = (price: Price | null) => (price === null ? null : toDecimalString(price));

/** Sets both prices to the result of `change`, applied to the position's prices when this command runs. */
export type Protect = (
  positionId: string,
  change: (cached: Protection) => Protection,
) => Promise<Position | null>;

/**
 * The returned function is stable and rejects when the server refuses. It resolves with null when the position is no
 * longer open.
 */
export function useProtect(): Protect {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  return useCallback(
    (positionId, change) =>
      runInOrder(positionId, async () => {
        const list = queryKeys.positions(accountId, 'open');
        const position = cache.getQueryData<readonly Position[]>(list)?.find(({ id }) => id === positionId);
        if (!position) return null;
        const next = change({
          takeProfitPrice: exact(position.takeProfitPrice),
          stopLossPrice: exact(position.stopLossPrice),
        });
        const args = {
          p_position_id: positionId,
          p_take_profit_price: decimal(next.takeProfitPrice),
          p_stop_loss_price: decimal(next.stopLossPrice),
          p_client_id: newClientId(),
        };
        try {
          const row = await retryTransient(() =>
            unwrap(supabase.rest.rpc('set_take_profit_stop_loss', args)),
          );
          const protectedOne = fromWire(row);
          applyAccountChange(cache, accountId, { table: 'positions', row: protectedOne });
          return protectedOne;
        } finally {
          void cache.invalidateQueries({ queryKey: list });
        }
      }),
    [accountId, supabase, cache],
  );
}

/** The dialog's state. `position` is null while the dialog is closed. */
export function useProtecting() {
  const { data: open } = useOpenPositions();
  const protect = useProtect();
  const { row: position, ask, end: cancel, run, pending, error } = useDialogRow(open, () => undefined);

  const save = async (protection: Protection) => {
    if (pending || !position) return;
    await run(async () => {
      const saved = await protect(position.id, () => protection);
      if (saved) showToast('success', `Take profit and stop loss of ${position.symbol} saved`);
      cancel();
    }, failedWith(protectFailedText));
  };
  return { position, ask, cancel, save, pending, error };
}
export type Protecting = ReturnType<typeof useProtecting>;
