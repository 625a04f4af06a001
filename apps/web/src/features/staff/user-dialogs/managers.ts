/** The users who can have traders. Limit: the first 500 by name; an installation has a handful. */
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

const managersMax = 500;

export interface Manager {
  readonly id: string;
  readonly username: string;
}

const readManagers = (supabase: Supabase, signal: AbortSignal): Promise<readonly Manager[]> =>
  unwrap(
    supabase.rest
      .from('users')
      .select('id, username')
      .eq('role', 'manager')
      .order('username')
      .limit(managersMax)
      .abortSignal(signal),
  );

export function useManagers() {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: ['managers', user.id],
    queryFn: ({ signal }) => readManagers(supabase, signal),
  });
}
