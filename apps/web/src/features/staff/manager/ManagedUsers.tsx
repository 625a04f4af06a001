/** MGR-01 to MGR-08: the panel of the manager's traders. Nothing in it moves while the pointer or the focus is there. */
import { texts } from '@fulcrum/contract/texts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { log } from '../../../shared/log/log.ts';
import type { AnnouncedChange } from '../../../shared/realtime/announced.tsx';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { passFocusOn } from '../../../shared/widget/index.ts';
import { Pager } from '../rows/Pager.tsx';
import { SearchField } from '../rows/SearchField.tsx';
import { useHeldRows, useHold } from '../rows/useHeldRows.ts';
import { useReadWhenAnnounced } from '../rows/useReadWhenAnnounced.ts';
import { WaitingChanges } from '../rows/WaitingChanges.tsx';
import { ManagedRows, type ManagedRowsProps } from './ManagedRows.tsx';
import { managedCountQuery, managedPageRows, managedUsersKey, managedUsersQuery } from './managed-users.ts';
import type { useManagerAddress } from './useManagerAddress.ts';

interface ManagedUsersProps {
  readonly address: ReturnType<typeof useManagerAddress>;
  readonly onAct: ManagedRowsProps['onAct'];
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const announcedEveryMs = 500;
/** Balances are not in the list; who is in it, and under which name, is. */
const isOfPeople = ({ table }: AnnouncedChange): boolean => table === 'users';
const sortWords = {
  username: 'username',
  email: 'email',
  created_at: 'creation',
  last_login: 'last login',
} as const;

export function ManagedUsers({ address, onAct }: ManagedUsersProps) {
  const supabase = useSupabase();
  const { userId, filter, searchFor, sortBy, showPage } = address;
  const { data, isError, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...managedUsersQuery(supabase, filter),
    placeholderData: keepPreviousData,
  });
  useReadWhenAnnounced(managedUsersKey, isOfPeople, announcedEveryMs);
  const isSearch = filter.search !== '';
  const all = useQuery({ ...managedCountQuery(supabase), enabled: isSearch });
  const count = isSearch ? all.data : data?.total;
  const scope = data === undefined ? '' : JSON.stringify(data.filter);
  /** What is shown is still of the filter before. */
  const isOther = data !== undefined && scope !== JSON.stringify(filter);
  const { isHeld, handlers } = useHold();
  const { rows, waiting, show } = useHeldRows(data?.users, scope, isHeld);
  const retry = () => {
    refetch().catch((cause: unknown) => log.error('Reading the managed users again broke', cause));
  };
  const content = () => {
    if (rows === undefined && isError) {
      return <ErrorState title={texts.managedUsersFailed} onRetry={retry} retrying={isFetching} />;
    }
    if (rows?.length === 0 && filter.search !== '') {
      return (
        <EmptyState
          title="No user matches"
          action={
            <span ref={passFocusOn}>
              <Button onClick={() => searchFor('')}>Clear search</Button>
            </span>
          }
        >
          None of your users has “{filter.search}” in the username or the email.
        </EmptyState>
      );
    }
    if (rows?.length === 0 && filter.page > 1) {
      return (
        <EmptyState
          title="No users on this page"
          action={
            <span ref={passFocusOn}>
              <Button onClick={() => showPage(1)}>First page</Button>
            </span>
          }
        />
      );
    }
    if (rows?.length === 0) {
      return (
        <EmptyState title="No users are assigned to you">
          An admin assigns traders to you; they appear here by themselves.
        </EmptyState>
      );
    }
    return <ManagedRows users={rows} selectedId={userId} sorted={filter} onSort={sortBy} onAct={onAct} />;
  };
  return (
    <section
      aria-labelledby="managed-users"
      tabIndex={-1}
      className="panel outline-none flex min-h-0 flex-col overflow-hidden xl:shrink xl:grow"
    >
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-1.5">
        <h1 id="managed-users" tabIndex={-1} className="text-14 font-semibold outline-none">
          Managed Users <span className="figures">({count ?? '–'})</span>
        </h1>
        <WaitingChanges count={waiting} onShow={show} />
        <span className="ml-auto flex max-md:w-full">
          <SearchField label="Username or email" value={filter.search} onSearch={searchFor} />
        </span>
      </div>
      <div
        {...handlers}
        aria-busy={rows === undefined || isOther || undefined}
        className={`min-h-40 grow overflow-auto transition-opacity max-xl:max-h-[calc(28px+5*44px)] max-md:max-h-none ${isOther ? 'opacity-60' : ''}`}
      >
        {content()}
      </div>
      {data === undefined ? null : (
        <div className="flex min-h-10 shrink-0 items-center justify-between gap-3 border-t border-line px-4 text-12 text-text-3">
          <Pager
            what={data.total === 1 ? 'user' : 'users'}
            page={filter.page}
            pageRows={managedPageRows}
            total={data.total}
            onPage={showPage}
          />
          <span className="sr-only" role="status">
            {`Sorted by ${sortWords[filter.sort]}, ${filter.order}`}
          </span>
          {isError ? (
            <span role="status" className="flex items-center gap-2 text-warn">
              This may be out of date.
              <Button size="compact" onClick={retry} pending={isFetching}>
                Retry
              </Button>
            </span>
          ) : (
            <span className="figures">Updated {clock.format(dataUpdatedAt)}</span>
          )}
        </div>
      )}
    </section>
  );
}
