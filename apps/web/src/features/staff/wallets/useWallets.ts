/** One page of wallets, read again every 30 s while the page is seen; while it is held, rows stay where they are. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useHeldRows } from '../rows/useHeldRows.ts';
import { readWallets, type WalletQuery } from './wallets.ts';

const readEveryMs = 30_000;

export function useWallets(query: WalletQuery, isHeld: boolean) {
  const { supabase } = useSignedIn();
  const read = useQuery({
    queryKey: ['staff-wallets', query],
    queryFn: ({ signal }) => readWallets(supabase, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: readEveryMs,
    staleTime: 0,
  });
  const { data: list } = read;
  const held = useHeldRows(list?.wallets, `${JSON.stringify(query)} ${read.isPlaceholderData}`, isHeld);
  return { ...held, total: list?.total ?? 0, read } as const;
}
