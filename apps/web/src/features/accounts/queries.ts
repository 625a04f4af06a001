/** The accounts of the user, with what they hold at the present prices. */

import type { Database } from '@fulcrum/contract/database';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type CamelCased, fromWire, unwrap } from '../../shared/supabase/index.ts';

export type ListedAccount = CamelCased<Database['public']['Functions']['list_accounts']['Returns'][number]>;

/** The main account first, archived ones last; read again whenever the list is opened. */
export function useAccounts() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly ListedAccount[]>({
    queryKey: queryKeys.accounts(user.id),
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('list_accounts', {}).abortSignal(signal))).map(fromWire),
  });
}
