/**
 * Take profit and stop loss of an open position (A21): both are set to exactly what the dialog says. The question goes when
 * the position does, whoever closed it; a repeat sets the same values again, so a lost answer does no harm.
 */
import { type Price, type Protection, toDecimalString } from '@fulcrum/domain';
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

const failedText = 'Failed to save take profit and stop loss';

/** `position` is null while nothing is asked. */
export function useProtecting() {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: open } = useOpenPositions();
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

  const decimal = (price: Price | null) => (price === null ? null : toDecimalString(price));
  const save = async ({ takeProfitPrice, stopLossPrice }: Protection) => {
    if (pending || !position) return;
    setPending(true);
    setError(null);
    const list = queryKeys.positions(user.id, 'open');
    try {
      const row = await rowsOf(
        supabase.rest.rpc('set_take_profit_stop_loss', {
          p_position_id: position.id,
          p_take_profit_price: decimal(takeProfitPrice),
          p_stop_loss_price: decimal(stopLossPrice),
          p_client_id: newClientId(),
        }),
      );
      cache.setQueryData<readonly Position[]>(list, (held) => held && applyToOpen(held, fromWire(row)));
      announce('success', `Take profit and stop loss of ${position.symbol} saved`);
      setAskedId(null);
    } catch (cause) {
      log.warn('Setting take profit and stop loss failed', cause);
      setError(messageOf(cause, failedText));
    } finally {
      setPending(false);
    }
    await cache.invalidateQueries({ queryKey: list });
  };
  return { position, ask, cancel, save, pending, error };
}
export type Protecting = ReturnType<typeof useProtecting>;
