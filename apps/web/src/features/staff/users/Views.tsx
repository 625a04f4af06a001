/**
 * Lists that are asked for often, one press away, each with how many are in it. The one that is shown says so.
 *
 * Known limitation: each count is a request of its own, once a minute; one that could not be read is not shown.
 */
import { useQueries } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { filterArgs, narrowed, noFilter, type UsersFilter } from './users-query.ts';
import { usersKeys } from './useUsers.ts';
import { useUsersAddress } from './useUsersAddress.ts';
import { whole } from './words.ts';

const views = [
  { words: 'All users', filter: noFilter },
  { words: 'Traders to check', filter: { ...noFilter, roles: ['trader'], kyc: ['pending'] } },
  { words: 'Unassigned traders', filter: { ...noFilter, roles: ['trader'], managers: ['none'] } },
  { words: 'Restricted', filter: { ...noFilter, restricted: true } },
] as const satisfies readonly { readonly words: string; readonly filter: UsersFilter }[];

const isSame = (one: UsersFilter, other: UsersFilter): boolean =>
  JSON.stringify(Object.keys(noFilter).map((name) => one[name as keyof UsersFilter])) ===
  JSON.stringify(Object.keys(noFilter).map((name) => other[name as keyof UsersFilter]));

const countEveryMs = 60_000;

function useCounts(): readonly (number | undefined)[] {
  const { supabase } = useSignedIn();
  return useQueries({
    queries: views.map(({ filter }) => ({
      queryKey: usersKeys.count(filter),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const args = { ...filterArgs(filter), p_page_size: 1 };
        return (await rowsOf(supabase.rest.rpc('list_users', args).abortSignal(signal))).total;
      },
      refetchInterval: countEveryMs,
    })),
    combine: (counts) => counts.map(({ data: count }) => count),
  });
}

export function Views({ prefix, size }: { readonly prefix: string; readonly size: number }) {
  const { query, change } = useUsersAddress(prefix, size);
  const counts = useCounts();
  return (
    <fieldset className="flex gap-1 overflow-x-auto [scrollbar-width:none]">
      <legend className="sr-only">Views</legend>
      {views.map(({ words, filter }, place) => {
        const count = counts[place];
        const isShown = isSame(query, filter);
        return (
          <button
            key={words}
            type="button"
            aria-pressed={isShown}
            onClick={() => change((held) => narrowed(held, filter))}
            className={`h-[30px] shrink-0 rounded-control px-2.5 text-12 font-medium -outline-offset-2 max-md:h-11 ${isShown ? 'bg-accent-weak text-accent' : 'text-text-2 hover:bg-raised hover:text-text'}`}
          >
            {words}
            <span className="figures ml-1.5 inline-block min-w-4 text-left font-normal">
              {count === undefined ? '' : whole(count)}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
