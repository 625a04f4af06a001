/**
 * Closing a position: `close_position` with the price and result on screen as claims; the server books its own (A18).
 * Invariant: a close whose answer was lost is sent again with the same client id.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToClosed, applyToOpen } from '../../../shared/realtime/changes.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, messageOf, type Position, rowsOf } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { markOf, openFigures } from './figures.ts';
import type { Steps } from './steps.ts';

/** Which price a close was booked at, where it was not the live one (RULE-20, RULE-21). */
export const closeSourceTexts: Readonly<Record<'live' | 'mark' | 'entry', string | null>> = {
  live: null,
  mark: 'Booked at the last mark price: there was no live one.',
  entry: 'Booked at the entry price: there was no other one.',
};

export function useClosing(position: Position, steps: Steps, onClosed: () => void) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const clientId = useRef(newClientId());
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const request = async (): Promise<Position> => {
    const mark = markOf(stream, position);
    const closed = await rowsOf(
      supabase.rest.rpc('close_position', {
        p_position_id: position.id,
        p_close_price: mark,
        p_realized_pnl: mark === null ? null : openFigures(position).booked(mark),
        p_client_id: clientId.current,
      }),
    );
    return fromWire(closed);
  };

  const takeOver = async (closed: Position) => {
    const update = (status: 'open' | 'closed', apply: typeof applyToOpen) =>
      cache.setQueryData<readonly Position[]>(
        queryKeys.positions(user.id, status),
        (held) => held && apply(held, closed),
      );
    update('open', applyToOpen);
    update('closed', applyToClosed);
    const keys = [
      queryKeys.wallet(user.id),
      queryKeys.positions(user.id, 'open'),
      queryKeys.positions(user.id, 'closed'),
      queryKeys.transactions(user.id),
    ];
    await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
  };

  const close = async () => {
    if (pending) return;
    setPending(true);
    setError(null);
    try {
      const closed = await request();
      const { size, symbol, side, closePrice, realizedPnl, closePriceSource } = closed;
      const what = `${formatSize(size, steps.stepSize)} ${symbol} ${side === 'BUY' ? 'long' : 'short'}`;
      const source = closePriceSource === null ? null : closeSourceTexts[closePriceSource];
      announce(
        'success',
        `Closed ${what} at ${formatPrice(closePrice, steps.tickSize)}: ${formatAmount(realizedPnl, 'always')} USDT`,
        source === null ? {} : { description: source },
      );
      onClosed();
      await takeOver(closed);
    } catch (cause) {
      log.warn('Closing a position failed', cause);
      setError(messageOf(cause, texts.closePositionFailed));
    } finally {
      setPending(false);
    }
  };
  return { close, pending, error };
}
