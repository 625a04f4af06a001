/** What every signed-in page stands on: the client and the query cache, which a session's end empties. */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { queryClient } from '../../shared/query/index.ts';
import { keepAwake } from '../../shared/realtime/index.ts';
import { onPersonGone, useSignedIn } from '../../shared/session/index.ts';
import { SupabaseContext } from '../../shared/supabase/index.ts';

onPersonGone(() => queryClient.clear());

export function AccountProviders({ children }: { readonly children: ReactNode }) {
  const { supabase, user } = useSignedIn();

  useEffect(() => keepAwake(supabase.realtime), [supabase]);

  return (
    <SupabaseContext value={supabase}>
      {/* Another person: what is typed, asked and joined for the one before goes with the pages that did it. */}
      <QueryClientProvider key={user.id} client={queryClient}>
        {children}
      </QueryClientProvider>
    </SupabaseContext>
  );
}
