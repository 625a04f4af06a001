/**
 * The account's equity, past and present. Prices tick many times a second, but the curve is redrawn every few
 * seconds. Limit: the latest 1000 snapshots of the last 28 days.
 */
import { dayMs } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createEquitySource, useOpenPositions, useWallet } from '../../shared/account/index.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { useFollowedPrices, usePriceStream } from '../market/index.ts';
import { equityPoints, type Snapshot, thinPoints } from './equity.ts';

export const curveDays = 28;
const mostSnapshots = 1_000;
const mostPoints = 240;
const drawEveryMs = 5_000;
/** Every hour adds one. */
const readEveryMs = 10 * 60_000;

/** USDT; null until all its inputs are known. Renders again every few seconds. */
export function useEquityNow(): number | null {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  useFollowedPrices(null);
  const balance = wallet === undefined ? null : (wallet?.balance ?? 0);
  const source = useMemo(
    () => (balance === null || !positions ? null : createEquitySource(stream, positions, balance)),
    [stream, balance, positions],
  );
  const read = useCallback(() => source?.get() ?? null, [source]);
  const [equity, setEquity] = useState(read);
  useEffect(() => {
    const update = () => setEquity(read());
    update();
    const timer = setInterval(update, drawEveryMs);
    return () => clearInterval(timer);
  }, [read]);
  return equity;
}

export function useEquityCurve() {
  const { accountId, supabase } = useSignedIn();
  const present = useEquityNow();
  const snapshots = useQuery<readonly Snapshot[]>({
    queryKey: queryKeys.equity(accountId),
    refetchInterval: readEveryMs,
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - curveDays * dayMs).toISOString();
      const request = supabase.rest
        .from('equity_snapshots')
        .select('at,equity')
        .eq('user_id', accountId)
        .gte('at', since)
        .order('at', { ascending: false })
        .limit(mostSnapshots);
      return unwrap(request.abortSignal(signal));
    },
  });
  const points = useMemo(
    () => snapshots.data && thinPoints(equityPoints(snapshots.data, present, Date.now()), mostPoints),
    [snapshots.data, present],
  );
  return { snapshots, points };
}
