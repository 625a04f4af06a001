/**
 * The panel with the manager's traders (MGR-01 to MGR-08). Rows do not move while the pointer or the focus is there. Selected traders get a bulk
 * action; another search clears the selection.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TableChange } from '../../../shared/realtime/table-changes.tsx';
import { useSupabase } from '../../../shared/supabase/index.ts';
import {
  EmptyAction,
  EmptyPage,
  TableFooter,
  useFrozenRows,
  useRowFreeze,
  WaitingChanges,
} from '../../../shared/table/index.ts';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { formatClockWithSeconds } from '../../../shared/time/dates.ts';
import { EmptyState } from '../../../shared/ui/index.ts';
import { useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import { SelectionBar } from '../users/UsersTableFooter.tsx';
import { useBulkDialog } from '../users/useBulkDialog.tsx';
import { useSelectAll } from '../users/useSelectAll.ts';
import { useSelection } from '../users/useSelection.ts';
import { ManagedRows, type OnManagedAction } from './ManagedRows.tsx';
import {
  type ManagedUser,
  managedCountQuery,
  managedPageRows,
  managedUsersKey,
  managedUsersQuery,
} from './managed-users.ts';
import type { useManagerUrlState } from './useManagerUrlState.ts';

interface ManagedUsersProps {
  readonly urlState: ReturnType<typeof useManagerUrlState>;
  readonly onAction: OnManagedAction;
}

const changeThrottleMs = 500;
/** The list shows no balances, so only changes of users matter. */
const isUserChange = ({ table }: TableChange): boolean => table === 'users';
const sortLabels = {
  username: 'username',
  email: 'email',
  created_at: 'creation',
  last_login: 'last login',
} as const;

const labelOf = ({ username }: ManagedUser): string => `Select ${username}`;

export function ManagedUsers({ urlState, onAction }: ManagedUsersProps) {
  const supabase = useSupabase();
  const { userId, filter, searchFor, sortBy, showPage } = urlState;
  const reading = useQuery({ ...managedUsersQuery(supabase, filter), placeholderData: keepPreviousData });
  const { data } = reading;
  useRefetchOnChange(managedUsersKey, isUserChange, changeThrottleMs);
  const isSearch = filter.search !== '';
  const all = useQuery({ ...managedCountQuery(supabase), enabled: isSearch });
  const count = isSearch ? all.data : data?.total;
  const scope = data === undefined ? '' : JSON.stringify(data.filter);
  const { isFrozen, handlers } = useRowFreeze();
  const { rows, waiting, show } = useFrozenRows(data?.users, scope, isFrozen);
  const heading = useRef<HTMLHeadingElement>(null);
  const selection = useSelection(filter.search);
  const { dialog, openBulk } = useBulkDialog({ selection, fallbackFocus: () => heading.current });
  const { isSelecting, selectAll } = useSelectAll(
    isSearch ? { p_search: filter.search } : {},
    selection.replace,
  );
  const empty = () => {
    if (isSearch) {
      return (
        <EmptyState
          title="No users match this search"
          action={<EmptyAction onPress={() => searchFor('')}>Clear search</EmptyAction>}
        >
          None of your users has “{filter.search}” in the username or the email.
        </EmptyState>
      );
    }
    if (filter.page > 1) return <EmptyPage what="users" onFirst={() => showPage(1)} />;
    return (
      <EmptyState title="No users are assigned to you">
        An admin assigns traders to you; they appear here by themselves.
      </EmptyState>
    );
  };
  return (
    <section
      aria-labelledby="managed-users"
      tabIndex={-1}
      className="panel outline-none flex min-h-0 flex-col overflow-hidden xl:shrink xl:grow"
    >
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-1.5">
        <h1 ref={heading} id="managed-users" tabIndex={-1} className="text-14 font-semibold outline-none">
          Managed Users <span className="figures">({count ?? '–'})</span>
        </h1>
        <WaitingChanges count={waiting} onShow={show} />
        <span className="ml-auto flex max-md:w-full">
          <SearchField label="Username or email" value={filter.search} onSearch={searchFor} />
        </span>
      </div>
      <ManagedRows
        rows={rows}
        reading={reading}
        empty={empty()}
        sorted={filter}
        onSort={sortBy}
        currentId={userId}
        selection={{ ...selection, label: labelOf }}
        onAction={onAction}
        freeze={handlers}
        className="scroll-cue-y min-h-40 grow max-xl:max-h-[calc(28px+5.5*44px)] max-md:max-h-none"
      />
      <span className="sr-only" role="status">
        {data === undefined ? '' : `Sorted by ${sortLabels[filter.sort]}, ${filter.order}`}
      </span>
      {selection.selected.size === 0 ? null : (
        <div className="shrink-0 border-t border-line bg-accent/7 px-4 py-1.5 max-md:px-3">
          <SelectionBar
            count={selection.selected.size}
            total={data?.total ?? 0}
            isSelecting={isSelecting}
            onSelectAll={selectAll}
            onClear={() => {
              selection.clear();
              heading.current?.focus();
            }}
            onBulk={(kind) => openBulk({ kind, ids: [...selection.selected] })}
            area="manager"
          />
        </div>
      )}
      {data === undefined ? null : (
        <TableFooter
          what="users"
          one="user"
          page={filter.page}
          pageRows={managedPageRows}
          total={data.total}
          onPage={showPage}
          reading={reading}
        >
          <span className="figures text-text-3">Updated {formatClockWithSeconds(reading.dataUpdatedAt)}</span>
        </TableFooter>
      )}
      {dialog}
    </section>
  );
}
