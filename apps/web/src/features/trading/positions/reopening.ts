/**
 * Closing a position of a shut market at the first price after its reopening (A98), and taking that back. A repeat asks for
 * the same again, so a lost answer does no harm.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToOpen } from '../../../shared/realtime/changes.ts';
import { readAccountAgain } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, messageOf, type Position, rowsOf } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { type PriceStream, usePriceStream, useSampled } from '../../market/index.ts';

/** Whether a position of this symbol cannot be closed now. A stale price still closes, at the mark. */
export const isShut = (stream: PriceStream, symbol: string): boolean =>
  stream.latest(symbol)?.market_open === false;

export function useIsShut(symbol: string): boolean {
  const stream = usePriceStream();
  return useSampled(symbol, () => isShut(stream, symbol));
}

/** `want` resolves with why it failed, or null once the position is as wanted. */
export function useReopening({ id, symbol }: Position) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const [pending, setPending] = useState(false);

  const want = async (wanted: boolean): Promise<string | null> => {
    if (pending) return null;
    setPending(true);
    try {
      const row = fromWire(
        await rowsOf(supabase.rest.rpc('close_at_reopen', { p_position_id: id, p_wanted: wanted })),
      );
      cache.setQueryData<readonly Position[]>(
        queryKeys.positions(user.id, 'open'),
        (held) => held && applyToOpen(held, row),
      );
      announce('success', wanted ? `${symbol} closes at the reopening` : `${symbol} stays open`);
      return null;
    } catch (cause) {
      log.warn('Asking for a close at the reopening failed', cause);
      return messageOf(cause, texts.closePositionFailed);
    } finally {
      setPending(false);
      // Also after a failure: it may be as wanted all the same, or be closed by now.
      readAccountAgain(cache, user.id);
    }
  };
  return { want, pending };
}
