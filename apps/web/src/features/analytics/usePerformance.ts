/**
 * The account's performance over a range, while it is on screen. It is read again shortly after a change of the
 * wallet (a close, a deposit), and once a minute for open positions.
 */
import type { Performance } from '@fulcrum/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useWallet } from '../../shared/account/index.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../shared/widget/index.ts';

const everyMs = 60_000;
/** Changes come in bursts: a closing position changes the wallet more than once. */
const settledMs = 1_000;

export function usePerformance(from: string | null): WidgetReading<Performance> {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: wallet } = useWallet();
  const version = wallet?.version;
  const read = useRef(version);
  useEffect(() => {
    if (version === undefined || version === read.current) return;
    const isFirst = read.current === undefined;
    const timer = setTimeout(
      () => {
        read.current = version;
        if (isFirst) return;
        void cache.invalidateQueries({ queryKey: queryKeys.performances(accountId) });
      },
      isFirst ? 0 : settledMs,
    );
    return () => clearTimeout(timer);
  }, [cache, accountId, version]);

  return useWidget<Performance>({
    queryKey: queryKeys.performance(accountId, from, null),
    what: 'Portfolio analytics',
    everyMs,
    retainsPrevious: true,
    read: (signal) =>
      unwrap(
        supabase.rest
          .rpc('get_performance', {
            p_from: from,
            p_time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          })
          .abortSignal(signal),
      ),
  });
}
