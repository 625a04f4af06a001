/** The panel with the manager's traders (MGR-01 to MGR-08). Rows do not move while the pointer or the focus is there. */
import { texts } from '@fulcrum/contract/texts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { log } from '../../../shared/log/log.ts';
import type { TableChange } from '../../../shared/realtime/table-changes.tsx';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Pager } from '../../../shared/table/Pager.tsx';
import { useFrozenRows, useRowFreeze } from '../../../shared/table/useFrozenRows.ts';
import { WaitingChanges } from '../../../shared/table/WaitingChanges.tsx';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount } from '../../../shared/widget/index.ts';
import { SearchField } from '../rows/SearchField.tsx';
import { useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import { ManagedRows, type ManagedRowsProps } from './ManagedRows.tsx';
import { managedCountQuery, managedPageRows, managedUsersKey, managedUsersQuery } from './managed-users.ts';
import type { useManagerUrlState } from './useManagerUrlState.ts';

interface ManagedUsersProps {
  readonly urlState: ReturnType<typeof useManagerUrlState>;
  readonly onAction: ManagedRowsProps['onAction'];
}

const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const changeThrottleMs = 500;
/** The list shows no balances, so only changes of users matter. */
const isUserChange = ({ table }: TableChange): boolean => table === 'users';
const sortLabels = {
  username: 'username',
  email: 'email',
  created_at: 'creation',
  last_login: 'last login',
} as const;

export function ManagedUsers({ urlState, onAction }: ManagedUsersProps) {
  const supabase = useSupabase();
  const { userId, filter, searchFor, sortBy, showPage } = urlState;
  const { data, isError, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...managedUsersQuery(supabase, filter),
    placeholderData: keepPreviousData,
  });
  useRefetchOnChange(managedUsersKey, isUserChange, changeThrottleMs);
  const isSearch = filter.search !== '';
  const all = useQuery({ ...managedCountQuery(supabase), enabled: isSearch });
  const count = isSearch ? all.data : data?.total;
  const scope = data === undefined ? '' : JSON.stringify(data.filter);
  /** The shown rows still belong to the previous filter. */
  const isPreviousFilter = data !== undefined && scope !== JSON.stringify(filter);
  const { isFrozen, handlers } = useRowFreeze();
  const { rows, waiting, show } = useFrozenRows(data?.users, scope, isFrozen);
  const retry = () => {
    refetch().catch((cause: unknown) => log.error('Refreshing the managed users failed', cause));
  };
  const content = () => {
    if (rows === undefined && isError) {
      return <ErrorState title={texts.managedUsersFailed} onRetry={retry} retrying={isFetching} />;
    }
    if (rows?.length === 0 && filter.search !== '') {
      return (
        <EmptyState
          title="No users match this search"
          action={
            <span ref={restoreFocusOnUnmount}>
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
            <span ref={restoreFocusOnUnmount}>
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
    return (
      <ManagedRows users={rows} selectedId={userId} sorted={filter} onSort={sortBy} onAction={onAction} />
    );
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
        aria-busy={rows === undefined || isPreviousFilter || undefined}
        className={`min-h-40 grow overflow-auto transition-opacity max-xl:max-h-[calc(28px+5*44px)] max-md:max-h-none ${isPreviousFilter ? 'opacity-60' : ''}`}
      >
        {content()}
      </div>
      {data === undefined ? null : (
        <div className="flex min-h-10 shrink-0 items-center justify-between gap-3 border-t border-line px-4 text-12 text-text-3">
          <Pager
            what="users"
            one="user"
            page={filter.page}
            pageRows={managedPageRows}
            total={data.total}
            onPage={showPage}
          />
          <span className="sr-only" role="status">
            {`Sorted by ${sortLabels[filter.sort]}, ${filter.order}`}
          </span>
          {isError ? (
            <span role="status" className="flex items-center gap-2 text-warn">
              The list may be out of date.
              <Button size="compact" onClick={retry} pending={isFetching}>
                Retry
              </Button>
            </span>
          ) : (
            <span className="figures">Updated {clockFormat.format(dataUpdatedAt)}</span>
          )}
        </div>
      )}
    </section>
  );
}
