/**
 * The challenge of the account that the page shows. While a step is in progress the list names its account; a verdict archives the
 * account, and only the attempts name it. Known limitation: of a trader's attempts at a challenge the newest 50 are searched.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { attemptsQuery, challengesQuery } from './queries.ts';

/** `readings` are those that the answer depends on; `shown` is undefined until they have it, and in any other account. */
export function useChallengeOfAccount() {
  const { accountId, account } = useSignedIn();
  const supabase = useSupabase();
  const list = useQuery(challengesQuery(supabase));
  const inProgress = list.data?.find(({ account_id }) => account_id === accountId);
  const isSearched = inProgress === undefined && account?.kind === 'challenge';
  const started = isSearched ? (list.data?.filter(({ own_attempts }) => own_attempts > 0) ?? []) : [];
  const attempts = useQueries({
    // An attempt keeps the accounts of its steps: one read is enough.
    queries: started.map(({ id }) => ({ ...attemptsQuery(supabase, id), refetchInterval: false as const })),
  });
  const decided = started.find((_, index) =>
    attempts[index]?.data?.attempts.some(({ steps }) =>
      steps.some(({ account_id }) => account_id === accountId),
    ),
  );
  return { shown: inProgress ?? decided, readings: [list, ...attempts] };
}
