/**
 * The audit log (`/admin/audit`, X-20), newest first, filtered by actor, user, action, object, request and days. The URL stores
 * filter, page and the expanded entry.
 */
import { useRef } from 'react';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { WaitingChanges } from '../../../shared/table/index.ts';
import { BackLink } from '../../../shared/ui/BackLink.tsx';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { type AuditEntriesPage, type AuditEntry, type Cursor, exportArgs } from './audit-entries.ts';
import { EntryRows } from './EntryRows.tsx';
import { useAuditEntries } from './useAuditEntries.ts';
import { isFiltered, useAuditUrlState } from './useAuditUrlState.ts';

const toCursor = (side: Cursor['side'], entry: AuditEntry | undefined): Cursor | null =>
  entry ? { side, at: entry.at, id: entry.id } : null;

interface PagerProps {
  readonly label: string;
  readonly page: AuditEntriesPage;
  readonly cursor: Cursor | null;
  readonly pending: boolean;
  readonly onGo: (cursor: Cursor | null) => void;
}

function Pager({ label, page: { entries, hasNewer, hasOlder }, cursor, pending, onGo }: PagerProps) {
  return (
    <nav aria-label={label} className="flex items-center gap-2">
      <Button size="compact" muted={cursor === null} onClick={() => onGo(null)}>
        Newest
      </Button>
      <Button size="compact" muted={!hasNewer || pending} onClick={() => onGo(toCursor('after', entries[0]))}>
        Newer
      </Button>
      <Button
        size="compact"
        muted={!hasOlder || pending}
        onClick={() => onGo(toCursor('before', entries.at(-1)))}
      >
        Older
      </Button>
    </nav>
  );
}

function resultLabel(page: AuditEntriesPage | undefined, cursor: Cursor | null): string {
  if (page === undefined) return 'Loading the audit log';
  const count = page.entries.length;
  const actions = count === 1 ? '1 action' : `${count} actions`;
  if (!page.hasOlder && cursor === null) return `${actions}, newest first`;
  return page.hasOlder ? `${actions} on this page, older ones follow` : `${actions} on this page, the oldest`;
}

export default function AuditPage() {
  const { filter, cursor, openId, changeFilter, ...urlState } = useAuditUrlState();
  const { page, newer, dropNewest } = useAuditEntries(filter, cursor);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, isError, isFetching, isPlaceholderData } = page;

  const clear = () => {
    urlState.clear();
    heading.current?.focus();
  };
  const retry = () => void page.refetch();
  const goToPage = (next: Cursor | null) => {
    if (next === null) dropNewest();
    urlState.goToPage(next);
    heading.current?.focus();
  };

  const empty = isFiltered(filter) ? (
    <EmptyState
      title="No actions match these filters"
      action={<Button onClick={clear}>Clear filters</Button>}
    >
      Remove a filter or change the days.
    </EmptyState>
  ) : (
    <EmptyState title="No actions yet">
      Staff actions, and what the server does for them, appear here.
    </EmptyState>
  );

  return (
    <div className="flex grow flex-col gap-3 p-6 max-lg:p-4 max-md:p-3">
      <title>Audit log · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
          Audit log
        </h1>
        <BackLink to="/admin">Overview</BackLink>
        <p className="text-12 text-text-3 max-lg:order-last max-lg:w-full">
          Entries are never changed or removed; <code>npm run audit:verify</code> proves it.
        </p>
        <span className="ml-auto">
          <ExportButton what="the audit log" args={exportArgs(filter)} />
        </span>
      </div>
      <section aria-label="Actions" className="panel overflow-hidden">
        <AuditFilters
          filter={filter}
          onChange={changeFilter}
          onClear={clear}
          result={resultLabel(data, cursor)}
        >
          <WaitingChanges
            count={newer}
            what={['new action', 'new actions']}
            onShow={cursor === null ? retry : () => goToPage(null)}
            pending={isFetching}
          />
          {isError && data !== undefined ? <StaleNotice onRetry={retry} retrying={isFetching} /> : null}
          {data ? (
            <Pager label="Pages" page={data} cursor={cursor} pending={isPlaceholderData} onGo={goToPage} />
          ) : null}
        </AuditFilters>
        <EntryRows
          entries={data?.entries}
          reading={page}
          empty={empty}
          openId={openId}
          onOpen={urlState.expand}
        />
        {data && data.entries.length > 12 ? (
          <div className="flex min-h-11 items-center justify-end border-t border-line px-4 py-2">
            <Pager
              label="Pages, at the end"
              page={data}
              cursor={cursor}
              pending={isPlaceholderData}
              onGo={goToPage}
            />
          </div>
        ) : null}
      </section>
    </div>
  );
}
