/**
 * The users table for staff (ADMIN-14, ADMIN-16, ADMIN-18, ADMIN-32, A76). The server does search, filters, order and pages;
 * the URL stores the whole state of the list. The Users tab shows the full variant with the
 * columns that the admin chose, the Overview a plain list of five.
 *
 * Known limitation: the selection lives in this page only and is cleared by another search or filter.
 */
import ListFilter from 'lucide-react/icons/list-filter';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { ColumnsMenu, useColumnChoice } from '../../../shared/table/index.ts';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { useRowFreeze } from '../../../shared/table/useFrozenRows.ts';
import { WaitingChanges } from '../../../shared/table/WaitingChanges.tsx';
import { Button, Popover, useMediaQuery, usePhone } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { type StaffArea, type UserAction, type UserSummary, useOpenDialog } from '../user-dialogs/index.ts';
import { CompactHeader } from './CompactHeader.tsx';
import { userColumns } from './columns.tsx';
import { Facets } from './Facets.tsx';
import { FilterRow } from './FilterRow.tsx';
import type { Sort } from './listed-user.ts';
import { SortSelect } from './SortSelect.tsx';
import { UserRows } from './UserRows.tsx';
import { SelectionBar, UsersPager } from './UsersTableFooter.tsx';
import { useBulkDialog } from './useBulkDialog.tsx';
import {
  changeQuery,
  facetsInUse,
  filterArgs,
  noFilter,
  sortQuery,
  type UsersFilter,
  usersUrlState,
} from './users-query.ts';
import { useSelectAll } from './useSelectAll.ts';
import { useSelection } from './useSelection.ts';
import { useRefetchUsers, useUsers } from './useUsers.ts';

export interface UsersTableProps {
  readonly area: StaffArea;
  /** Prefix of the table's URL parameters. */
  readonly prefix: string;
  /** With filters and bulk actions (the Users tab), or the plain list of the Overview. */
  readonly variant: 'full' | 'plain';
  readonly onPositions: (user: UserSummary) => void;
}

export function UsersTable({ area, prefix, variant, onPositions }: UsersTableProps) {
  const isFull = variant === 'full';
  const [query, change] = useUrlState(usersUrlState[variant], prefix);
  const { isFrozen, handlers } = useRowFreeze();
  const users = useUsers(query, isFrozen);
  const { total, facets, reading } = users;
  const refetchUsers = useRefetchUsers();
  const selection = useSelection(JSON.stringify(filterArgs(query)));
  const { selected } = selection;
  const { isSelecting, selectAll } = useSelectAll(filterArgs(query), selection.replace);
  const openDialog = useOpenDialog();
  const columns = useColumnChoice('users');
  const search = useRef<HTMLInputElement>(null);
  const { dialog, openBulk } = useBulkDialog({
    selection,
    onChanged: refetchUsers,
    fallbackFocus: () => search.current,
  });
  const hasFilterColumn = useMediaQuery('(min-width: 1200px)');
  const phone = usePhone();

  // The last page's only user was deleted, or the URL was written by hand.
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / query.size));
  const isBeyond = lastPage !== undefined && !reading.isPlaceholderData && query.page > lastPage;
  useEffect(() => {
    if (isBeyond) change({ page: lastPage });
  }, [isBeyond, lastPage, change]);

  const narrow = (requested: Partial<UsersFilter>) => change((held) => changeQuery(held, requested));
  const sort = (column: Sort) => change((held) => sortQuery(held, column));
  const onAction = (requested: UserAction, user: UserSummary) => {
    if (requested === 'positions') onPositions(user);
    else openDialog(requested, user, { onDone: refetchUsers });
  };
  const retry = () => void reading.refetch();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // An open menu or dialog handles Escape first; a search field clears itself.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return;
    if (event.target === search.current || selected.size === 0) return;
    selection.clear();
    search.current?.focus();
  };

  const facetList = <Facets filter={query} counts={facets} onChange={narrow} />;
  const facetCount = facetsInUse(query);
  const field = (className: string) => (
    <SearchField
      label="Search username or email"
      placeholder="Username or email"
      value={query.search}
      onSearch={(text) => narrow({ search: text })}
      inputRef={search}
      hotKey={isFull ? '/' : null}
      className={`max-md:!h-11 ${isFull ? '!h-[34px] !text-13' : '!h-7'} ${className}`}
    />
  );
  const state = (
    <>
      <WaitingChanges count={users.waiting} onShow={users.show} />
      {reading.isError && users.rows !== undefined ? (
        <StaleNotice onRetry={retry} retrying={reading.isFetching} />
      ) : null}
    </>
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape clears the selection from wherever the focus is inside
    <div
      onKeyDown={onKeyDown}
      className={isFull && hasFilterColumn ? 'grid grid-cols-[212px_minmax(0,1fr)] items-start gap-5' : ''}
    >
      {isFull && hasFilterColumn ? (
        <search aria-label="Filter users">
          {field('mb-4 w-full')}
          {facetList}
        </search>
      ) : null}
      <section aria-label="Users" tabIndex={-1} className="panel min-w-0 overflow-hidden outline-none">
        {isFull ? null : (
          <CompactHeader total={total} search={field('w-56 max-md:w-full')} state={state} query={query} />
        )}
        {isFull && !hasFilterColumn ? (
          <search
            aria-label="Filter users"
            className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 max-md:px-3"
          >
            {field('grow max-md:w-full')}
            <Popover
              label="Filters"
              align="end"
              trigger={
                <Button className="max-md:grow">
                  <ListFilter size={14} aria-hidden="true" />
                  {facetCount === 0 ? 'Filters' : `Filters (${facetCount})`}
                </Button>
              }
            >
              <div className="w-56">{facetList}</div>
            </Popover>
            {phone ? <SortSelect query={query} onSort={change} /> : null}
          </search>
        ) : null}
        {isFull ? (
          <FilterRow query={query} facets={facets} total={total} onChange={narrow}>
            {state}
            <ColumnsMenu what="users" columns={userColumns} {...columns} />
            <ExportButton what="users" args={{ p_list: 'users', p_users: filterArgs(query) }} />
          </FilterRow>
        ) : null}
        <UserRows
          rows={users.rows}
          reading={reading}
          query={query}
          area={area}
          variant={variant}
          marks={selection}
          onSort={sort}
          onAction={onAction}
          onClear={() => narrow(noFilter)}
          onAdd={() => openDialog('add', null, { onDone: refetchUsers })}
          freeze={handlers}
          {...(isFull && { chosen: columns.chosen })}
        />
        {total === undefined ? null : (
          <div
            className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-1.5 max-md:px-3 ${isFull ? 'min-h-12' : 'min-h-9 !py-0.5'} ${selected.size > 0 ? 'bg-accent/7' : ''}`}
          >
            {selected.size > 0 ? (
              <SelectionBar
                count={selected.size}
                total={total}
                isSelecting={isSelecting}
                onSelectAll={selectAll}
                onClear={() => {
                  selection.clear();
                  search.current?.focus();
                }}
                onBulk={(kind) => openBulk({ kind, ids: [...selected] })}
                area={area}
              />
            ) : null}
            <UsersPager
              query={query}
              total={total}
              onPage={(page) => change((held) => ({ ...held, page }))}
              {...(isFull && { onSize: (size: number) => change((held) => changeQuery(held, { size })) })}
            />
          </div>
        )}
      </section>
      {dialog}
    </div>
  );
}
