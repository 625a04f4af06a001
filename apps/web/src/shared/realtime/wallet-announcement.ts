/**
 * Spares the read of the wallet after a command: every change of the account is announced with its version, the wallet among
 * its rows. Invariant: afterwards the cached wallet is at least as new as the command, or is read again.
 */
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import type { Supabase } from '../supabase/client.ts';
import type { Wallet } from '../supabase/rows.ts';
import { isTopicJoined } from './topic-subscription.ts';

/** How long after the answer an announcement may arrive. */
const announcedWithinMs = 1_000;

interface Account {
  readonly accountId: string;
  readonly supabase: Pick<Supabase, 'realtime'>;
}

/** Waits for the wallet of the account's `version`; without the channel, or if it does not come, reads the wallet again. */
export async function refetchWalletUnlessAnnounced(
  cache: QueryClient,
  { accountId, supabase }: Account,
  version: number,
): Promise<void> {
  const queryKey = queryKeys.wallet(accountId);
  const isKnown = () => (cache.getQueryData<Wallet | null>(queryKey)?.version ?? -1) >= version;
  if (!isKnown() && isTopicJoined(supabase, `user:${accountId}`))
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, announcedWithinMs);
      const stop = cache.getQueryCache().subscribe(() => {
        if (isKnown()) end();
      });
    });
  if (!isKnown()) await cache.invalidateQueries({ queryKey });
}
