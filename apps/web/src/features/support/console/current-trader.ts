/** The data of the current conversation's trader (A103), read again every five seconds while the page is visible. */

import type { Database } from '@fulcrum/contract/database';
import { asMoney, asPrice, liquidationProgress, parseDecimal, toNumber } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { marginInUse, toExactPosition } from '../../../shared/account/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Position, unwrap } from '../../../shared/supabase/index.ts';

const everyMs = 5_000;

export type CurrentTrader = Database['public']['Functions']['get_attended_trader']['Returns'];
export type Wallet = NonNullable<CurrentTrader['wallet']>;

export const currentTraderKey = (sessionId: string) => ['attended', sessionId] as const;

/** Reads again every five seconds while the conversation is open; the page also reads again after each change. */
export function useCurrentTrader(sessionId: string, state: 'open' | 'over') {
  const { supabase } = useSignedIn();
  return useQuery<CurrentTrader>({
    queryKey: currentTraderKey(sessionId),
    queryFn: ({ signal }) =>
      unwrap(supabase.rest.rpc('get_attended_trader', { p_session_id: sessionId }).abortSignal(signal)),
    enabled: state === 'open',
    refetchInterval: everyMs,
    staleTime: everyMs,
  });
}

export interface MarginUse {
  /** USDT, of positions and open orders. */
  readonly used: number;
  /** Per cent of the balance; null without a balance. */
  readonly share: number | null;
}

export function getMarginUse({ balance, available_balance }: Wallet): MarginUse {
  const used = toNumber(marginInUse(parseDecimal(balance), parseDecimal(available_balance)));
  return { used, share: balance > 0 ? (used / balance) * 100 : null };
}

export interface PositionFigures {
  /** USDT; null while there is no price. */
  readonly pnl: number | null;
  /** Per cent from the entry to the liquidation; null while there is no price. */
  readonly distanceToLiquidation: number | null;
}

export function getPositionFigures(position: Position): PositionFigures {
  const { markPrice } = position;
  if (markPrice === null) return { pnl: null, distanceToLiquidation: null };
  const { rules, terms } = toExactPosition(position);
  const mark = asPrice(parseDecimal(markPrice));
  const liquidationPrice = asPrice(parseDecimal(position.liquidationPrice));
  return {
    pnl: toNumber(rules.unrealizedPnl(terms, mark)),
    distanceToLiquidation: toNumber(
      liquidationProgress({ entryPrice: terms.entryPrice, liquidationPrice, markPrice: mark }),
    ),
  };
}

export const toPositions = ({ positions }: CurrentTrader): readonly Position[] => positions.map(fromWire);

/** USDT; null while a price is missing, because a partial sum would mislead. */
export function getTotalPnl(figures: readonly PositionFigures[]): number | null {
  let sum = 0n;
  for (const { pnl } of figures) {
    if (pnl === null) return null;
    sum += parseDecimal(pnl);
  }
  return toNumber(asMoney(sum));
}
