/** Providers of every signed-in page: the client and the query cache, which is cleared when the session ends. */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { queryClient } from '../../shared/query/index.ts';
import { keepSocketAlive } from '../../shared/realtime/index.ts';
import { onUserGone, useSignedIn } from '../../shared/session/index.ts';
import { SupabaseContext } from '../../shared/supabase/index.ts';

onUserGone(() => queryClient.clear());

export function AccountProviders({ children }: { readonly children: ReactNode }) {
  const { supabase, user } = useSignedIn();

  useEffect(() => keepSocketAlive(supabase.realtime), [supabase]);

  return (
    <SupabaseContext value={supabase}>
      {/* The key remounts all pages for another user, which discards input, requests and subscriptions of the previous one. */}
      <QueryClientProvider key={user.id} client={queryClient}>
        {children}
      </QueryClientProvider>
    </SupabaseContext>
  );
}
