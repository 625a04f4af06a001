/**
 * Closing a position or a part of it: `close_position` with the price and result on screen as claims; the server books its
 * own (A18). Invariant: a close whose answer was lost is sent again with the same client id as long as it asks for the same
 * size. The question goes when the position does, whoever closed it.
 */
import { texts } from '@fulcrum/contract/texts';
import { type Size, toDecimalString } from '@fulcrum/domain';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToClosed, applyToOpen } from '../../../shared/realtime/changes.ts';
import { readAccountAgain } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, messageOf, type Position, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { partOf } from './closing-size.ts';
import { markOf, openFigures } from './figures.ts';
import { isShut } from './reopening.ts';
import type { StepsOf } from './steps.ts';

/** Which price a close was booked at, where it was not the live one (RULE-20, RULE-21). */
export const closeSourceTexts: Readonly<Record<'live' | 'mark' | 'entry', string | null>> = {
  live: null,
  mark: 'Booked at the last mark price: there was no live one.',
  entry: 'Booked at the entry price: there was no other one.',
};

/** Puts a closed position where it belongs, at once. */
export function showClosed(cache: QueryClient, userId: string, row: Position): void {
  const update = (status: 'open' | 'closed', apply: typeof applyToOpen) =>
    cache.setQueryData<readonly Position[]>(
      queryKeys.positions(userId, status),
      (held) => held && apply(held, row),
    );
  update('open', applyToOpen);
  update('closed', applyToClosed);
}

interface CloseRequest {
  /** What is closed: the position, or the part of it. */
  readonly closed: Position;
  /** Null closes it whole, whatever it has become meanwhile. */
  readonly size: string | null;
  readonly mark: number | null;
  readonly clientId: string;
}

export async function requestClose(
  supabase: Supabase,
  { closed, size, mark, clientId }: CloseRequest,
): Promise<Position> {
  const row = await rowsOf(
    supabase.rest.rpc('close_position', {
      p_position_id: closed.id,
      p_close_price: mark,
      p_realized_pnl: mark === null ? null : openFigures(closed).booked(mark),
      p_size: size,
      p_client_id: clientId,
    }),
  );
  return fromWire(row);
}

interface Question {
  readonly positionId: string;
  /** The market was shut when it was asked (A98). It stays that question: no button changes its meaning under a finger. */
  readonly isAtReopen: boolean;
  /** Of the close that was asked for last; another size is another close. */
  readonly attempt: { readonly clientId: string; readonly size: string | null } | null;
}

/** The question whether to close a position, and its answer. `position` is null while nothing is asked. */
export function useClosing(stepsOf: StepsOf) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const { data: open } = useOpenPositions();
  const { data: closed } = useClosedPositions();
  const [question, setQuestion] = useState<Question | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const position = (question && open?.find(({ id }) => id === question.positionId)) ?? null;

  const ask = useCallback(
    ({ id, symbol }: Position) => {
      setError(null);
      setQuestion({ positionId: id, isAtReopen: isShut(stream, symbol), attempt: null });
    },
    [stream],
  );
  const cancel = () => setQuestion(null);

  useEffect(() => {
    // While our own close is under way its answer says more than the list.
    if (!question || !open || position || pending) return;
    setQuestion(null);
    const gone = closed?.find(({ id }) => id === question.positionId);
    const text = gone
      ? `Already closed at ${formatPrice(gone.closePrice, stepsOf(gone.symbol).tickSize)}`
      : texts.positionAlreadyClosed;
    announce('info', text);
  }, [question, open, closed, position, pending, stepsOf]);

  /** `size` null closes it whole, whatever it has become meanwhile. */
  const request = async (asked: Position, size: Size | null): Promise<Position> => {
    const mark = markOf(stream, asked);
    const closed = size === null ? asked : partOf(asked, size);
    const text = size === null ? null : toDecimalString(size);
    const held = question?.attempt;
    const attempt = held?.size === text ? held : { clientId: newClientId(), size: text };
    setQuestion({ positionId: asked.id, isAtReopen: false, attempt });
    return requestClose(supabase, { closed, size: text, mark, clientId: attempt.clientId });
  };

  const announceClosed = (row: Position) => {
    const { size, symbol, side, closePrice, realizedPnl, closePriceSource } = row;
    const { stepSize, tickSize } = stepsOf(symbol);
    const what = `${formatSize(size, stepSize)} ${symbol} ${side === 'BUY' ? 'long' : 'short'}`;
    const source = closePriceSource === null ? null : closeSourceTexts[closePriceSource];
    announce(
      'success',
      `Closed ${what} at ${formatPrice(closePrice, tickSize)}: ${formatAmount(realizedPnl, 'always')} USDT`,
      source === null ? {} : { description: source },
    );
  };

  const close = async (size: Size | null) => {
    if (pending || !position || !question) return;
    setPending(true);
    setError(null);
    try {
      const row = await request(position, size);
      announceClosed(row);
      // The row goes before the question does, so that the focus is not given back to a button about to vanish.
      showClosed(cache, user.id, row);
      setQuestion(null);
    } catch (cause) {
      log.warn('Closing a position failed', cause);
      setError(messageOf(cause, texts.closePositionFailed));
    } finally {
      setPending(false);
    }
    // Also after a failure: the position may be closed all the same.
    readAccountAgain(cache, user.id);
  };
  const isAtReopen = question?.isAtReopen === true;
  return { position, isAtReopen, ask, cancel, close, pending, error };
}
export type Closing = ReturnType<typeof useClosing>;
