/**
 * Predefined filters with the number of matching users. The active one is marked.
 *
 * Known limitation: each count is a request of its own, once a minute. A count that fails is not shown.
 */
import { useQueries } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { formatCount } from './labels.ts';
import { changeQuery, filterArgs, noFilter, type UsersFilter, usersUrlState } from './users-query.ts';
import { usersKeys } from './useUsers.ts';

const views = [
  { label: 'All users', filter: noFilter },
  { label: 'Traders to check', filter: { ...noFilter, roles: ['trader'], kyc: ['pending'] } },
  { label: 'Unassigned traders', filter: { ...noFilter, roles: ['trader'], managers: ['none'] } },
  { label: 'Restricted', filter: { ...noFilter, restricted: true } },
] as const satisfies readonly { readonly label: string; readonly filter: UsersFilter }[];

const isSameFilter = (one: UsersFilter, other: UsersFilter): boolean =>
  JSON.stringify(Object.keys(noFilter).map((name) => one[name as keyof UsersFilter])) ===
  JSON.stringify(Object.keys(noFilter).map((name) => other[name as keyof UsersFilter]));

const countEveryMs = 60_000;

/** The number of users of each view, of all users first. */
export function useViewCounts(): readonly (number | undefined)[] {
  const { supabase } = useSignedIn();
  return useQueries({
    queries: views.map(({ filter }) => ({
      queryKey: usersKeys.count(filter),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const args = { ...filterArgs(filter), p_page_size: 1 };
        return (await unwrap(supabase.rest.rpc('list_users', args).abortSignal(signal))).total;
      },
      refetchInterval: countEveryMs,
    })),
    combine: (counts) => counts.map(({ data: count }) => count),
  });
}

interface SavedViewsProps {
  readonly prefix: string;
  readonly counts: readonly (number | undefined)[];
}

export function SavedViews({ prefix, counts }: SavedViewsProps) {
  const [query, change] = useUrlState(usersUrlState.full, prefix);
  return (
    <fieldset className="flex gap-1 overflow-x-auto [scrollbar-width:none]">
      <legend className="sr-only">Views</legend>
      {views.map(({ label, filter }, index) => {
        const count = counts[index];
        const isShown = isSameFilter(query, filter);
        return (
          <button
            key={label}
            type="button"
            aria-pressed={isShown}
            onClick={() => change((held) => changeQuery(held, filter))}
            className={`h-[30px] shrink-0 rounded-control px-2.5 text-12 font-medium -outline-offset-2 max-md:h-11 ${isShown ? 'bg-accent-weak text-accent' : 'text-text-2 hover:bg-raised hover:text-text'}`}
          >
            {label}
            <span className="figures ml-1.5 inline-block min-w-4 text-left font-normal">
              {count === undefined ? '' : formatCount(count)}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
