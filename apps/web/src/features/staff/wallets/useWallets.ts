/** One page of wallets, refreshed every 30 s while the page is visible. Rows keep their places while they are frozen. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useFrozenRows } from '../../../shared/table/useFrozenRows.ts';
import { readWallets, type WalletQuery } from './wallets.ts';

const readEveryMs = 30_000;

export function useWallets(query: WalletQuery, isFrozen: boolean) {
  const { supabase } = useSignedIn();
  const read = useQuery({
    queryKey: ['staff-wallets', query],
    queryFn: ({ signal }) => readWallets(supabase, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: readEveryMs,
    staleTime: 0,
  });
  const { data: list } = read;
  const held = useFrozenRows(list?.wallets, `${JSON.stringify(query)} ${read.isPlaceholderData}`, isFrozen);
  return { ...held, total: list?.total ?? 0, read } as const;
}
