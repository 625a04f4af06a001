/**
 * Closes every position that the panel shows, with one `close_position` each. A repeat uses the same client id, so a
 * lost answer closes nothing twice. Positions that cannot be closed now are listed and stay; A98 and A110 close them
 * at the next price, one by one. Invariant: only positions that the confirmation listed are closed.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useOpenPositions } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { applyAccountChange, refetchAccount } from '../../../shared/realtime/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, type Position } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { type PriceStream, usePriceStream, useSampled } from '../../market/index.ts';
import { type Outcome, useBatch } from '../batch.ts';
import { buildPlan, getSendable } from '../batch-plan.ts';
import { requestClose } from './closing.ts';
import { getMark, sumAmounts } from './figures.ts';
import { getLaterClose, type LaterClose } from './reopening.ts';

const noPositions: readonly Position[] = [];

/** The result of the closes: `Closed 3 positions: +255.97 USDT`. */
function formatClosed(outcomes: ReadonlyMap<string, Outcome<Position>>): string {
  const closed = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'done' ? [outcome.done] : []));
  const sum = formatAmount(sumAmounts(closed.map(({ realizedPnl }) => realizedPnl ?? 0)), 'always');
  return closed.length === 1
    ? `Closed 1 position: ${sum} USDT`
    : `Closed ${closed.length} positions: ${sum} USDT`;
}

type LaterCloses = Readonly<Record<string, LaterClose | undefined>>;

function getLaterCloses(stream: PriceStream, positions: readonly Position[]): LaterCloses {
  const closes: Record<string, LaterClose> = {};
  for (const { symbol } of positions) {
    const later = getLaterClose(stream, symbol);
    if (later) closes[symbol] = later;
  }
  return closes;
}

/** `2 stay open: their market is closed.` */
export function formatStayOpen(stayOpen: readonly (LaterClose | undefined)[]): string {
  const isHeld = stayOpen.includes('next price');
  const why = !isHeld
    ? 'their market is closed'
    : stayOpen.includes('reopening')
      ? 'their market is closed, or their price is held back'
      : 'their price is held back';
  return `${stayOpen.length} stay open: ${why}.`;
}

/** `rows` is null while the dialog is closed. `later` gives the reason why a symbol's positions stay. */
export function useClosingAll() {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const { data: open = noPositions } = useOpenPositions();
  const [selected, setSelected] = useState<readonly Position[] | null>(null);
  const clientIds = useRef(new Map<string, string>());
  const { outcomes, running, run, stop, reset } = useBatch<Position, Position>({
    execute: async (position) => {
      const clientId = clientIds.current.get(position.id) ?? newClientId();
      clientIds.current.set(position.id, clientId);
      const mark = getMark(stream, position);
      const row = await requestClose(supabase, position, mark, { size: null, clientId });
      applyAccountChange(cache, accountId, { table: 'positions', row });
      return row;
    },
    toReason: (cause) => {
      log.warn('Closing one of many positions failed', cause);
      return getErrorMessage(cause, texts.closePositionFailed);
    },
  });

  const later = useSampled(selected?.[0]?.symbol ?? '', () =>
    getLaterCloses(stream, selected ?? noPositions),
  );
  const rows = useMemo(
    () =>
      selected &&
      buildPlan({
        ...{ selected, live: open, outcomes },
        isBlocked: ({ symbol }: Position) => later[symbol] !== undefined,
      }),
    [selected, open, outcomes, later],
  );

  const ask = useCallback(
    (positions: readonly Position[]) => {
      clientIds.current = new Map();
      reset();
      setSelected(positions);
    },
    [reset],
  );
  const end = () => setSelected(null);

  const close = async () => {
    if (running || !rows) return;
    const sendablePositions = getSendable(rows);
    const after = await run(sendablePositions);
    refetchAccount(cache, accountId);
    if (!sendablePositions.every(({ id }) => after.get(id)?.kind === 'done')) return;
    const stayOpen = rows.flatMap(({ kind, item }) => (kind === 'blocked' ? item.symbol : []));
    const left =
      stayOpen.length === 0 ? {} : { description: formatStayOpen(stayOpen.map((symbol) => later[symbol])) };
    showToast('success', formatClosed(after), left);
    end();
  };
  return { rows, later, running, ask, end, close, stop };
}
export type ClosingAll = ReturnType<typeof useClosingAll>;
