/**
 * Take profit and stop loss of an open position (A21), set by the dialog or by a line on the chart. Commands of one position
 * go one after the other, so that each knows what the one before has set; a repeat sets the same values again, so a lost
 * answer does no harm. The dialog's question goes when the position does, whoever closed it.
 */
import { asPrice, type Price, type Protection, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useOpenPositions } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToOpen } from '../../../shared/realtime/changes.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, messageOf, type Position, rowsOf } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { sentAgain } from '../lines/repeating.ts';

export const protectFailedText = 'Failed to save take profit and stop loss';

/** By position: the command that the next one waits for. */
const underWay = new Map<string, Promise<unknown>>();

async function inTurn<Answer>(positionId: string, send: () => Promise<Answer>): Promise<Answer> {
  const before = underWay.get(positionId);
  // Whether the one before was refused is told to whoever sent it.
  const turn = (before ?? Promise.resolve()).then(send, send);
  underWay.set(positionId, turn);
  try {
    return await turn;
  } finally {
    if (underWay.get(positionId) === turn) underWay.delete(positionId);
  }
}

const exact = (price: number | null): Price | null => (price === null ? null : asPrice(parseDecimal(price)));
const decimal = (price: Price | null) => (price === null ? null : toDecimalString(price));

/** Sets both prices to what `change` makes of those the position has when its turn comes. */
export type Protect = (
  positionId: string,
  change: (held: Protection) => Protection,
) => Promise<Position | null>;

/** The returned function is stable, rejects when the server refuses, and answers null when the position is no longer open. */
export function useProtect(): Protect {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  return useCallback(
    (positionId, change) =>
      inTurn(positionId, async () => {
        const list = queryKeys.positions(user.id, 'open');
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
          const row = await sentAgain(() => rowsOf(supabase.rest.rpc('set_take_profit_stop_loss', args)));
          const protectedOne = fromWire(row);
          cache.setQueryData<readonly Position[]>(list, (held) => held && applyToOpen(held, protectedOne));
          return protectedOne;
        } finally {
          cache
            .invalidateQueries({ queryKey: list })
            .catch((cause: unknown) => log.warn('Positions could not be read again', cause));
        }
      }),
    [user.id, supabase, cache],
  );
}

/** The dialog's question. `position` is null while nothing is asked. */
export function useProtecting() {
  const { data: open } = useOpenPositions();
  const protect = useProtect();
  const [askedId, setAskedId] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const position = (askedId !== null && open?.find(({ id }) => id === askedId)) || null;

  const ask = useCallback(({ id }: Position) => {
    setError(null);
    setAskedId(id);
  }, []);
  const cancel = () => setAskedId(null);

  useEffect(() => {
    if (askedId !== null && open && !position && !pending) setAskedId(null);
  }, [askedId, open, position, pending]);

  const save = async (protection: Protection) => {
    if (pending || !position) return;
    setPending(true);
    setError(null);
    try {
      const saved = await protect(position.id, () => protection);
      if (saved) announce('success', `Take profit and stop loss of ${position.symbol} saved`);
      setAskedId(null);
    } catch (cause) {
      log.warn('Setting take profit and stop loss failed', cause);
      setError(messageOf(cause, protectFailedText));
    } finally {
      setPending(false);
    }
  };
  return { position, ask, cancel, save, pending, error };
}
export type Protecting = ReturnType<typeof useProtecting>;
