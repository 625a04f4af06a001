/**
 * Users as staff see them (ADMIN-14, ADMIN-16, ADMIN-18, ADMIN-32, A76): search, facets, order, pages and acts, all asked of
 * the server, and all of the list's state in the address. The Users tab shows it whole, an overview as a plain list of five.
 *
 * Known limitation: what is selected is kept in this page only, and is gone with another search or facet.
 */
import ListFilter from 'lucide-react/icons/list-filter';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { messageOf, rowsOf, useSupabase } from '../../../shared/supabase/index.ts';
import { announce, Button, Popover, useMediaQuery, usePhone } from '../../../shared/ui/index.ts';
import { OutOfDate } from '../../../shared/ui/OutOfDate.tsx';
import { type Person, type PersonAct, type Place, useAct } from '../people/index.ts';
import { SearchField } from '../rows/SearchField.tsx';
import { useHold } from '../rows/useHeldRows.ts';
import { WaitingChanges } from '../rows/WaitingChanges.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import type { BulkKind } from './bulk.ts';
import { Facets } from './Facets.tsx';
import { FilterRow } from './FilterRow.tsx';
import { Pages, SelectionBar } from './Foot.tsx';
import { PlainHead } from './PlainHead.tsx';
import { refusedIds } from './report.ts';
import { SortChoice } from './SortChoice.tsx';
import { UsersBody } from './UsersBody.tsx';
import {
  facetsInUse,
  filterArgs,
  narrowed,
  noFilter,
  type Sort,
  sortedBy,
  type UsersFilter,
} from './users-query.ts';
import { useSelection } from './useSelection.ts';
import { useReadUsersAgain, useUsers } from './useUsers.ts';
import { useUsersAddress } from './useUsersAddress.ts';

export interface UsersTableProps {
  readonly place: Place;
  /** Of its parameters in the address. */
  readonly prefix: string;
  /** With facets and bulk acts (the Users tab), or the plain list of an overview. */
  readonly variant: 'full' | 'plain';
  readonly onPositions: (person: Person) => void;
}

/** Unless another number is chosen. */
export const pageRows = { full: 15, plain: 5 } as const;

export function UsersTable({ place, prefix, variant, onPositions }: UsersTableProps) {
  const isFull = variant === 'full';
  const { query, change } = useUsersAddress(prefix, pageRows[variant]);
  const { isHeld, handlers } = useHold();
  const users = useUsers(query, isHeld);
  const { total, facets, reading } = users;
  const readAgain = useReadUsersAgain();
  const selection = useSelection(query);
  const { selected } = selection;
  const [bulk, setBulk] = useState<{ readonly kind: BulkKind; readonly ids: readonly string[] } | null>(null);
  const { isSelecting, selectAll } = useSelectAll(query, selection.replace);
  const openAct = useAct();
  const search = useRef<HTMLInputElement>(null);
  const hasColumn = useMediaQuery('(min-width: 1200px)');
  const phone = usePhone();

  // Somebody deleted the last page's last user, or the address was written by hand.
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / query.size));
  const isBeyond = lastPage !== undefined && !reading.isPlaceholderData && query.page > lastPage;
  useEffect(() => {
    if (isBeyond) change((held) => ({ ...held, page: lastPage }));
  }, [isBeyond, lastPage, change]);

  const narrow = (asked: Partial<UsersFilter>) => change((held) => narrowed(held, asked));
  const sort = (column: Sort) => change((held) => sortedBy(held, column));
  const act = (asked: PersonAct, person: Person) => {
    if (asked === 'positions') onPositions(person);
    else openAct(asked, person, readAgain);
  };
  const retry = () => {
    reading.refetch().catch((cause: unknown) => log.error('Reading the users again broke', cause));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // A menu or dialog that is open takes it first; a search field empties itself.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return;
    if (event.target === search.current || selected.size === 0) return;
    selection.clear();
    search.current?.focus();
  };

  const facetList = <Facets filter={query} counts={facets} onChange={narrow} />;
  const inUse = facetsInUse(query);
  const field = (className: string) => (
    <SearchField
      label="Search username or email"
      placeholder="Username or email"
      value={query.search}
      onSearch={(text) => narrow({ search: text })}
      field={search}
      hotKey={isFull ? '/' : null}
      className={`max-md:!h-11 ${isFull ? '!h-[34px] !text-13' : '!h-7'} ${className}`}
    />
  );
  const state = (
    <>
      <WaitingChanges count={users.waiting} onShow={users.show} />
      {reading.isError && users.rows !== undefined ? (
        <OutOfDate onRetry={retry} retrying={reading.isFetching} />
      ) : null}
    </>
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape clears the selection from wherever the focus is inside
    <div
      onKeyDown={onKeyDown}
      className={isFull && hasColumn ? 'grid grid-cols-[212px_minmax(0,1fr)] items-start gap-5' : ''}
    >
      {isFull && hasColumn ? (
        <search aria-label="Filter users">
          {field('mb-4 w-full')}
          {facetList}
        </search>
      ) : null}
      <section aria-label="Users" tabIndex={-1} className="panel min-w-0 overflow-hidden outline-none">
        {isFull ? null : (
          <PlainHead total={total} search={field('w-56 max-md:w-full')} state={state} query={query} />
        )}
        {isFull && !hasColumn ? (
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
                  {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
                </Button>
              }
            >
              <div className="w-56">{facetList}</div>
            </Popover>
            {phone ? <SortChoice query={query} onSort={change} /> : null}
          </search>
        ) : null}
        {isFull ? (
          <FilterRow query={query} facets={facets} total={total} onChange={narrow}>
            {state}
          </FilterRow>
        ) : null}
        <div
          {...handlers}
          aria-busy={users.rows === undefined || reading.isPlaceholderData || undefined}
          className={`transition-opacity ${reading.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <UsersBody
            rows={users.rows}
            query={query}
            failure={reading.isError ? { onRetry: retry, isRetrying: reading.isFetching } : null}
            onClear={() => narrow(noFilter)}
            onAdd={() => openAct('add', null, readAgain)}
            onSort={sort}
            place={place}
            variant={variant}
            selection={selection}
            onAct={act}
          />
        </div>
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
                onBulk={(kind) => setBulk({ kind, ids: [...selected] })}
              />
            ) : null}
            <Pages
              query={query}
              total={total}
              onPage={(page) => change((held) => ({ ...held, page }))}
              {...(isFull && { onSize: (size: number) => change((held) => narrowed(held, { size })) })}
            />
          </div>
        )}
      </section>
      {bulk === null ? null : (
        <BulkDialog
          kind={bulk.kind}
          ids={bulk.ids}
          onDone={(rows) => {
            readAgain();
            // Those that were refused can be tried in another way.
            selection.replace(refusedIds(rows));
          }}
          onStopped={readAgain}
          onClose={() => setBulk(null)}
          fallbackFocus={() => search.current}
        />
      )}
    </div>
  );
}

/** Everybody whom the filter finds, on every page. */
function useSelectAll(filter: UsersFilter, onFound: (ids: readonly string[]) => void) {
  const { rest } = useSupabase();
  const [isSelecting, setSelecting] = useState(false);
  const selectAll = async () => {
    setSelecting(true);
    try {
      const { ids } = await rowsOf(rest.rpc('find_user_ids', filterArgs(filter)));
      onFound(ids);
    } catch (cause) {
      log.warn('The users that match could not be found', cause);
      announce('error', messageOf(cause, 'The users that match could not be selected'));
    } finally {
      setSelecting(false);
    }
  };
  return { isSelecting, selectAll } as const;
}
