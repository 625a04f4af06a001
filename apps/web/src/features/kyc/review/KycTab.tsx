/**
 * The submitted identity checks, newest first (KYC-21 to KYC-24). The list is read again after each change event,
 * every 30 s and after each decision. While the pointer or the focus is on it, changes wait behind a button, so that
 * nothing moves under a click. The case's code loads with the first case.
 */
import { kycAttemptStatuses } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyCode } from '../../../shared/code/lazy-code.tsx';
import { Button, EmptyState, ErrorState, Segmented, Skeleton } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { CaseMissing, CaseOpening } from './CaseFrame.tsx';
import { CheckTable } from './CheckTable.tsx';
import { statusStyles } from './labels.ts';
import { refetchLists, useChecks } from './useChecks.ts';
import { useReviewParams } from './useReviewParams.ts';

const CaseDialog = lazyCode(() => import('./CaseDialog.tsx'), 'part', CaseMissing);

const filters = kycAttemptStatuses.map((status) => ({ value: status, label: statusStyles[status].label }));

const emptyTexts = {
  pending: ['Nothing to review', 'New submissions appear here automatically.'],
  approved: ['Nothing approved yet', 'Approved checks are listed here.'],
  rejected: ['Nothing rejected yet', 'Rejected checks are listed here with their reasons.'],
} as const;

const loading = (
  <div aria-busy="true">
    {['a', 'b', 'c', 'd', 'e'].map((row) => (
      <div
        key={row}
        className="flex h-12 items-center gap-6 border-b border-line/65 px-[18px] last:border-b-0"
      >
        <Skeleton className="size-7 rounded-full" />
        <Skeleton className="h-3.5 w-48" />
        <Skeleton className="h-3.5 w-24 max-md:hidden" />
        <Skeleton className="ml-auto h-3.5 w-32" />
      </div>
    ))}
  </div>
);

export function KycTab() {
  const { status, openId, filter, open } = useReviewParams();
  const cache = useQueryClient();
  const [isPaused, setPaused] = useState(false);
  const { rows, waiting, show, pages } = useChecks(status, isPaused && openId === null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef<string | null>(null);

  // After the dialog closed, the focus moves to its row, else to the heading with the remaining count.
  useEffect(() => {
    const before = wasOpen.current;
    wasOpen.current = openId;
    if (openId !== null || before === null) return;
    const row = document.getElementById(`kyc-${before}`);
    (row ?? heading.current)?.focus();
  }, [openId]);

  // The list beneath announces a case that was decided.
  useEffect(() => {
    if (openId === null) refetchLists(cache);
  }, [openId, cache]);

  const content = () => {
    if (rows === undefined) {
      if (!pages.isError) return loading;
      return (
        <ErrorState
          title="Failed to fetch identity checks"
          onRetry={() => void pages.refetch()}
          retrying={pages.isFetching}
        />
      );
    }
    if (rows.length === 0) {
      const [title, text] = emptyTexts[status];
      return <EmptyState title={title}>{text}</EmptyState>;
    }
    return <CheckTable rows={rows} onOpen={open} />;
  };

  return (
    <section aria-labelledby="kyc-heading" className="flex flex-col gap-3 p-6 max-lg:p-4 max-md:p-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="kyc-heading" ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
          Identity checks
        </h1>
        <Segmented label="Status" size="compact" options={filters} value={status} onChange={filter} />
        <div className="ml-auto flex items-center gap-3 text-12 text-text-3">
          {pages.isError && rows !== undefined ? <StaleNotice /> : null}
          {waiting > 0 ? (
            <Button size="compact" onClick={show}>
              {waiting === 1 ? 'Show 1 change' : `Show ${waiting} changes`}
            </Button>
          ) : null}
          {rows === undefined ? null : (
            <span role="status" className="figures">
              {`${rows.length}${pages.hasNextPage ? '+' : ''} ${statusStyles[status].label.toLowerCase()}`}
            </span>
          )}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only observes the pointer and the focus */}
      <div
        className="panel overflow-hidden"
        onPointerEnter={() => setPaused(true)}
        onPointerLeave={() => setPaused(false)}
        onFocus={() => setPaused(true)}
        onBlur={() => setPaused(false)}
      >
        {content()}
      </div>
      {pages.hasNextPage ? (
        <Button
          className="self-center"
          pending={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
      {openId === null ? null : (
        <Suspense fallback={<CaseOpening />}>
          <CaseDialog />
        </Suspense>
      )}
    </section>
  );
}
