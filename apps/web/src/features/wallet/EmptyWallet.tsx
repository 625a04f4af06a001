/** The empty wallet names the contact who can fund it: the trader's manager, else support (A102). */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrapOrNull } from '../../shared/supabase/index.ts';
import { ButtonLink } from '../../shared/ui/index.ts';

/** The manager's username; null when there is none, or until it is known. */
function useManagerName(): string | null {
  const { user, supabase } = useSignedIn();
  const { data: name } = useQuery<string | null>({
    queryKey: queryKeys.manager(user.id),
    enabled: user.managerId !== null,
    queryFn: async ({ signal }) => {
      const manager = await unwrapOrNull(supabase.rest.rpc('get_my_manager').abortSignal(signal));
      return manager?.username ?? null;
    },
  });
  return name ?? null;
}

export function EmptyWallet() {
  const { user } = useSignedIn();
  const name = useManagerName();
  const isManaged = user.managerId !== null;
  const manager = name === null ? 'your account manager' : `your account manager, ${name},`;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-inset px-3.5 py-3">
      <p className="min-w-0 grow basis-60 text-13 text-text-2">
        <strong className="font-semibold text-text">Your wallet is empty.</strong>{' '}
        {isManaged ? `Ask ${manager} to add funds.` : 'Ask our support to add funds.'}
      </p>
      <ButtonLink to="/chat">Contact support</ButtonLink>
    </div>
  );
}
