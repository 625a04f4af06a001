/** What support sees of the trader it attends (A103), read again every five seconds while somebody looks. */

import type { Database } from '@fulcrum/contract/database';
import { asMoney, asPrice, parseDecimal, toNumber, wayToLiquidation } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { heldOf, marginInUse } from '../../../shared/account/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Position, rowsOf } from '../../../shared/supabase/index.ts';

const everyMs = 5_000;

export type Attended = Database['public']['Functions']['get_attended_trader']['Returns'];
export type Wallet = NonNullable<Attended['wallet']>;

export const attendedKey = (sessionId: string) => ['attended', sessionId] as const;

/** `version` is of the conversation: what changed there is read at once. */
export function useAttended(sessionId: string) {
  const { supabase } = useSignedIn();
  return useQuery<Attended>({
    queryKey: attendedKey(sessionId),
    queryFn: ({ signal }) =>
      rowsOf(supabase.rest.rpc('get_attended_trader', { p_session_id: sessionId }).abortSignal(signal)),
    refetchInterval: everyMs,
    staleTime: everyMs,
  });
}

export interface MarginUse {
  /** USDT, of positions and of waiting orders. */
  readonly held: number;
  /** Of the balance, per cent; null without a balance. */
  readonly share: number | null;
}

export function marginUseOf({ balance, available_balance }: Wallet): MarginUse {
  const held = toNumber(marginInUse(parseDecimal(balance), parseDecimal(available_balance)));
  return { held, share: balance > 0 ? (held / balance) * 100 : null };
}

export interface PositionFigures {
  /** USDT; null while there is no price. */
  readonly pnl: number | null;
  /** Per cent from the entry to the liquidation; null while there is no price. */
  readonly way: number | null;
}

export function positionFigures(position: Position): PositionFigures {
  const { markPrice } = position;
  if (markPrice === null) return { pnl: null, way: null };
  const { rules, terms } = heldOf(position);
  const mark = asPrice(parseDecimal(markPrice));
  const liquidationPrice = asPrice(parseDecimal(position.liquidationPrice));
  return {
    pnl: toNumber(rules.unrealizedPnl(terms, mark)),
    way: toNumber(wayToLiquidation({ entryPrice: terms.entryPrice, liquidationPrice, markPrice: mark })),
  };
}

export const positionsOf = ({ positions }: Attended): readonly Position[] => positions.map(fromWire);

/** USDT; null while a price is missing: a part is not the sum. */
export function totalPnlOf(figures: readonly PositionFigures[]): number | null {
  let sum = 0n;
  for (const { pnl } of figures) {
    if (pnl === null) return null;
    sum += parseDecimal(pnl);
  }
  return toNumber(asMoney(sum));
}
