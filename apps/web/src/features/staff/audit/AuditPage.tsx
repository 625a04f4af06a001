/**
 * The audit log (`/admin/audit`, X-20): who did what to whom, newest first, narrowed by actor, person, act, object, request and
 * days. Filter, page and the act that is unfolded stand in the address.
 */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { inPlace } from '../../../shared/in-place/index.ts';
import { log } from '../../../shared/log/log.ts';
import { Button, ButtonLink, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { OutOfDate } from '../../../shared/ui/OutOfDate.tsx';
import { ActRows } from './ActRows.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import type { Act, ActsPage, AuditFilter, Cursor } from './acts.ts';
import { isFiltered, readAddress, withCursor, withFilter, withOpen } from './address.ts';
import { useActsPage } from './useActsPage.ts';

const cursorAt = (side: Cursor['side'], act: Act | undefined): Cursor | null =>
  act ? { side, at: act.at, id: act.id } : null;

interface PagerProps {
  readonly label: string;
  readonly page: ActsPage;
  readonly pending: boolean;
  readonly onGo: (cursor: Cursor | null) => void;
}

function Pager({ label, page: { acts, hasNewer, hasOlder }, pending, onGo }: PagerProps) {
  return (
    <nav aria-label={label} className="flex items-center gap-2">
      <Button size="compact" muted={!hasNewer} onClick={() => onGo(null)}>
        Newest
      </Button>
      <Button size="compact" muted={!hasNewer || pending} onClick={() => onGo(cursorAt('after', acts[0]))}>
        Newer
      </Button>
      <Button
        size="compact"
        muted={!hasOlder || pending}
        onClick={() => onGo(cursorAt('before', acts.at(-1)))}
      >
        Older
      </Button>
    </nav>
  );
}

function resultOf(page: ActsPage | undefined, cursor: Cursor | null): string {
  if (page === undefined) return 'Reading the log';
  const count = page.acts.length;
  const acts = count === 1 ? '1 act' : `${count} acts`;
  if (!page.hasOlder && cursor === null) return `${acts}, newest first`;
  return page.hasOlder ? `${acts} on this page, older ones follow` : `${acts} on this page, the oldest`;
}

export default function AuditPage() {
  const [params, setParams] = useSearchParams();
  const { filter, cursor, openId } = readAddress(params);
  const { page, newer } = useActsPage(filter, cursor);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, isError, isFetching, isPlaceholderData } = page;

  /** A person is looked up before the filter changes: by then the address may say more than it did. */
  const latest = useRef({ params, setParams });
  useLayoutEffect(() => {
    latest.current = { params, setParams };
  });

  const go = (next: URLSearchParams, step: 'new' | 'same') =>
    latest.current.setParams(next, { replace: step === 'same', preventScrollReset: true, state: inPlace });
  const narrow = (change: Partial<AuditFilter>) => {
    const next = withFilter(latest.current.params, change);
    if (`${next}` === `${latest.current.params}`) return;
    // A day is typed digit by digit, and each of them makes another one.
    go(next, 'from' in change || 'to' in change ? 'same' : 'new');
  };
  const clear = () => {
    go(new URLSearchParams(), 'new');
    heading.current?.focus();
  };
  const retry = () => {
    page.refetch().catch((cause: unknown) => log.error('Reading the audit log again broke', cause));
  };
  const turn = (next: Cursor | null) => {
    go(withCursor(params, next), 'new');
    heading.current?.focus();
  };

  const content = () => {
    if (data === undefined && isError) {
      return <ErrorState title="Failed to fetch the audit log" onRetry={retry} retrying={isFetching} />;
    }
    if (data?.acts.length !== 0) {
      return <ActRows acts={data?.acts} openId={openId} onOpen={(id) => go(withOpen(params, id), 'same')} />;
    }
    if (isFiltered(filter)) {
      return (
        <EmptyState title="No act matches" action={<Button onClick={clear}>Clear filters</Button>}>
          Nothing in the log is like this.
        </EmptyState>
      );
    }
    return (
      <EmptyState title="Nothing yet">
        What staff do, and what the server does for them, is kept here.
      </EmptyState>
    );
  };

  return (
    <div className="flex grow flex-col gap-3 p-6 max-lg:p-4 max-md:p-3">
      <title>Audit log · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
          Audit log
        </h1>
        <ButtonLink to="/admin" size="compact" tone="quiet">
          <ArrowLeft size={14} aria-hidden="true" />
          Overview
        </ButtonLink>
        <p className="text-12 text-text-3 max-lg:w-full">
          Nothing in it is ever changed or removed; <code>npm run audit:verify</code> proves it.
        </p>
      </div>
      <section aria-label="Acts" className="panel overflow-hidden">
        <AuditFilters filter={filter} onChange={narrow} onClear={clear} result={resultOf(data, cursor)}>
          {newer > 0 ? (
            <Button size="compact" onClick={retry} pending={isFetching}>
              {newer === 1 ? 'Show 1 new act' : `Show ${newer} new acts`}
            </Button>
          ) : null}
          {isError && data !== undefined ? <OutOfDate onRetry={retry} retrying={isFetching} /> : null}
          {data ? <Pager label="Pages" page={data} pending={isPlaceholderData} onGo={turn} /> : null}
        </AuditFilters>
        <div aria-busy={isPlaceholderData || data === undefined || undefined} className="min-h-96">
          {content()}
        </div>
        {data && data.acts.length > 12 ? (
          <div className="flex min-h-11 items-center justify-end border-t border-line px-4 py-2">
            <Pager label="Pages, at the end" page={data} pending={isPlaceholderData} onGo={turn} />
          </div>
        ) : null}
      </section>
    </div>
  );
}
