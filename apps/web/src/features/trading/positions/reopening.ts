/**
 * Requests that a position that cannot be closed now closes at the next tradable price, and revokes that request.
 * That price is the first one after a closed market reopens (A98), or the one that ends a hold (A110). A repeat
 * requests the same, so a lost answer is harmless.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, getErrorMessage, type Position, unwrap } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { type PriceStream, usePriceStream, useSampled } from '../../market/index.ts';

/** When a position that cannot be closed now will close. */
export type LaterClose = 'reopening' | 'next price';

/**
 * The reason why positions of this symbol cannot be closed now; null if they can. A stale price still closes, at the
 * mark.
 */
export function getLaterClose(stream: PriceStream, symbol: string): LaterClose | null {
  const last = stream.latest(symbol);
  if (last?.market_open === false) return 'reopening';
  return last?.held ? 'next price' : null;
}

export function useLaterClose(symbol: string): LaterClose | null {
  const stream = usePriceStream();
  return useSampled(symbol, () => getLaterClose(stream, symbol));
}

/** The texts of the buttons and dialogs for each reason. */
export const laterCloseTexts = {
  reopening: { reason: texts.marketClosed, button: texts.closeAtReopen, mark: texts.closesAtReopen },
  'next price': { reason: texts.priceStale, button: texts.closeAtNextPrice, mark: texts.closesAtNextPrice },
} as const satisfies Record<LaterClose, object>;

/** `want` resolves with the failure's text, or null once the position is in the requested state. */
export function useReopening({ id, symbol }: Position) {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const [pending, setPending] = useState(false);

  const setCloseAtReopen = async (closesLater: boolean): Promise<string | null> => {
    if (pending) return null;
    setPending(true);
    const later = getLaterClose(stream, symbol) ?? 'next price';
    try {
      const row = fromWire(
        await unwrap(supabase.rest.rpc('close_at_reopen', { p_position_id: id, p_wanted: closesLater })),
      );
      applyAccountChange(cache, accountId, { table: 'positions', row });
      showToast('success', closesLater ? `${symbol} closes at the ${later}` : `${symbol} stays open`);
      return null;
    } catch (cause) {
      log.warn('Requesting a later close failed', cause);
      return getErrorMessage(cause, texts.closePositionFailed);
    } finally {
      setPending(false);
      // Also after a failure: the request may have succeeded, or the position may be closed.
      refetchAccount(cache, accountId);
    }
  };
  return { want: setCloseAtReopen, pending };
}
