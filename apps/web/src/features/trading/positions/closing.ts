/**
 * Closes a position or a part of it. `close_position` carries the price and result on screen as claims, and the
 * server books its own (A18). Invariant: a close whose answer was lost is sent again with the same client id while
 * its size is unchanged. The confirmation closes when the position is closed in any other way.
 */
import { texts } from '@fulcrum/contract/texts';
import { type Size, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { failedWith } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position, Supabase } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { useDialogRow } from '../dialog-row.ts';
import { type CloseRequest, closePosition } from '../requests.ts';
import { toPartialPosition } from './closing-size.ts';
import { getMark, openFigures } from './figures.ts';
import { getLaterClose, type LaterClose } from './reopening.ts';
import type { StepsOf } from './steps.ts';

/** The price source of a close, where it was not the live price (RULE-20, RULE-21). */
export const closeSourceTexts: Readonly<Record<'live' | 'mark' | 'entry', string | null>> = {
  live: null,
  mark: 'Booked at the last mark price: there was no live one.',
  entry: 'Booked at the entry price: there was no other one.',
};

/** Closes `closed`, a position or a part of it, with its result at the mark on the screen. */
export const requestClose = (
  supabase: Supabase,
  closed: Position,
  mark: number | null,
  request: Pick<CloseRequest, 'size' | 'clientId'>,
): Promise<Position> =>
  closePosition(supabase, {
    ...request,
    positionId: closed.id,
    closePrice: mark,
    realizedPnl: mark === null ? null : openFigures(closed).booked(mark),
  });

interface Question {
  /** The share of the position that the dialog starts with, in per cent. */
  readonly share: number;
  /**
   * Set when the position could not be closed at once as the dialog opened. It stays the same, because no button
   * changes its meaning under the pointer.
   */
  readonly later: LaterClose | null;
  /** The attempt of the last requested close; another size is another close. */
  readonly attempt: { readonly clientId: string; readonly size: string | null } | null;
}

const noQuestion: Question = { share: 100, later: null, attempt: null };

/** The confirmation before closing a position, and its action. `position` is null while it is closed. */
export function useClosing(stepsOf: StepsOf) {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const { data: open } = useOpenPositions();
  const { data: closed } = useClosedPositions();
  const [{ share, later, attempt: last }, setQuestion] = useState(noQuestion);
  const onGone = (positionId: string) => {
    const gone = closed?.find(({ id }) => id === positionId);
    const text = gone
      ? `Already closed at ${formatPrice(gone.closePrice, stepsOf(gone.symbol).tickSize)}`
      : texts.positionAlreadyClosed;
    showToast('info', text);
  };
  const { row: position, ask: askAbout, end: cancel, run, pending, error } = useDialogRow(open, onGone);

  const ask = useCallback(
    (target: Position, share = 100) => {
      askAbout(target);
      setQuestion({ share, later: getLaterClose(stream, target.symbol), attempt: null });
    },
    [stream, askAbout],
  );

  /** `size` null closes the whole position, whatever its size is by then. */
  const request = async (target: Position, size: Size | null): Promise<Position> => {
    const mark = getMark(stream, target);
    const closed = size === null ? target : toPartialPosition(target, size);
    const text = size === null ? null : toDecimalString(size);
    const attempt = last?.size === text ? last : { clientId: newClientId(), size: text };
    setQuestion({ share, later: null, attempt });
    return requestClose(supabase, closed, mark, { size: text, clientId: attempt.clientId });
  };

  const announceClosed = (row: Position) => {
    const { size, symbol, side, closePrice, realizedPnl, closePriceSource } = row;
    const { stepSize, tickSize } = stepsOf(symbol);
    const what = `${formatSize(size, stepSize)} ${symbol} ${side === 'BUY' ? 'long' : 'short'}`;
    const source = closePriceSource === null ? null : closeSourceTexts[closePriceSource];
    showToast(
      'success',
      `Closed ${what} at ${formatPrice(closePrice, tickSize)}: ${formatAmount(realizedPnl, 'always')} USDT`,
      source === null ? {} : { description: source },
    );
  };

  const close = async (size: Size | null) => {
    if (pending || !position) return;
    await run(async () => {
      const row = await request(position, size);
      announceClosed(row);
      // The row goes before the dialog does, so that the focus does not return to a button that is about to
      // disappear.
      applyAccountChange(cache, accountId, { table: 'positions', row });
      cancel();
    }, failedWith(texts.closePositionFailed));
    // Also after a failure: the position may be closed nevertheless.
    refetchAccount(cache, accountId);
  };
  return { position, later, share, ask, cancel, close, pending, error };
}
export type Closing = ReturnType<typeof useClosing>;
