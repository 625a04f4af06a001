/** The limits that the trader has set for the account of this page (decision record 0031). */
import type { OwnLimitsRow } from '@fulcrum/contract';
import { asMoney, type DayAtStake, dailyLossOf, type Money, parseDecimal } from '@fulcrum/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';

/** Prefix of all reads of an account. */
export const ownLimitsKey = (accountId: string) => ['own-limits', accountId] as const;

const readEveryMs = 60_000;

/** `version`: read again when it changes. */
export function useOwnLimits(version: number) {
  const { accountId, supabase } = useSignedIn();
  return useQuery({
    queryKey: [...ownLimitsKey(accountId), version],
    placeholderData: keepPreviousData,
    refetchInterval: readEveryMs,
    queryFn: ({ signal }): Promise<OwnLimitsRow> =>
      unwrap(supabase.rest.rpc('get_own_limits').abortSignal(signal)),
  });
}

/** Null without limits. The loss follows the equity. */
export function toDayAtStake(
  { day, trades_max }: OwnLimitsRow,
  equity: Money | null,
  now: number,
): DayAtStake | null {
  if (day === null) return null;
  const { first_equity, paid, loss_max, trades, cool_down_until } = day;
  const exact = (amount: number) => asMoney(parseDecimal(amount));
  const left = cool_down_until === null ? 0 : Date.parse(cool_down_until) - now;
  return {
    loss:
      loss_max === null || equity === null
        ? null
        : {
            soFar: dailyLossOf({ equity: exact(first_equity), paid: exact(paid) }, equity),
            max: exact(loss_max),
          },
    trades: trades_max === null ? null : { soFar: trades, max: trades_max },
    coolDown: left > 0 ? left : null,
  };
}
