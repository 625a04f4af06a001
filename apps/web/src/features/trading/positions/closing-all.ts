/**
 * Closing every position that the panel shows: one `close_position` each, with a client id of its own that a repeat keeps, so
 * that a lost answer closes nothing twice. Positions of closed markets are named and stay (A98 closes them at the reopening,
 * one by one). Invariant: only positions that the question named are closed.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useOpenPositions } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { readAccountAgain } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, type Position } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../../market/index.ts';
import { type Outcome, useBatch } from '../batch.ts';
import { planOf, sendable } from '../batch-plan.ts';
import { requestClose, showClosed } from './closing.ts';
import { markOf, sumOf } from './figures.ts';
import { isShut } from './reopening.ts';

const noPositions: readonly Position[] = [];

/** What was booked: `Closed 3 positions: +255.97 USDT`. */
function closedText(outcomes: ReadonlyMap<string, Outcome<Position>>): string {
  const closed = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'done' ? [outcome.done] : []));
  const sum = formatAmount(sumOf(closed.map(({ realizedPnl }) => realizedPnl ?? 0)), 'always');
  return closed.length === 1
    ? `Closed 1 position: ${sum} USDT`
    : `Closed ${closed.length} positions: ${sum} USDT`;
}

/** `rows` is null while nothing is asked. */
export function useClosingAll() {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const { data: open = noPositions } = useOpenPositions();
  const [asked, setAsked] = useState<readonly Position[] | null>(null);
  const clientIds = useRef(new Map<string, string>());
  const { outcomes, running, run, stop, reset } = useBatch<Position, Position>({
    act: async (position) => {
      const clientId = clientIds.current.get(position.id) ?? newClientId();
      clientIds.current.set(position.id, clientId);
      const mark = markOf(stream, position);
      const row = await requestClose(supabase, { closed: position, size: null, mark, clientId });
      showClosed(cache, user.id, row);
      return row;
    },
    reasonOf: (cause) => {
      log.warn('Closing one of many positions failed', cause);
      return messageOf(cause, texts.closePositionFailed);
    },
  });

  const shut = useSampled(asked?.[0]?.symbol ?? '', () => [
    ...new Set((asked ?? noPositions).map(({ symbol }) => symbol).filter((symbol) => isShut(stream, symbol))),
  ]);
  const rows = useMemo(
    () =>
      asked &&
      planOf({ asked, live: open, outcomes, isBlocked: ({ symbol }: Position) => shut.includes(symbol) }),
    [asked, open, outcomes, shut],
  );

  const ask = useCallback(
    (positions: readonly Position[]) => {
      clientIds.current = new Map();
      reset();
      setAsked(positions);
    },
    [reset],
  );
  const end = () => setAsked(null);

  const close = async () => {
    if (running || !rows) return;
    const wanted = sendable(rows);
    const after = await run(wanted);
    readAccountAgain(cache, user.id);
    if (!wanted.every(({ id }) => after.get(id)?.kind === 'done')) return;
    const stay = rows.filter(({ kind }) => kind === 'blocked').length;
    const left = stay === 0 ? {} : { description: `${stay} stay open: their market is closed.` };
    announce('success', closedText(after), left);
    end();
  };
  return { rows, running, ask, end, close, stop };
}
export type ClosingAll = ReturnType<typeof useClosingAll>;
