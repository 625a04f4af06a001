/**
 * The queue of identity checks, newest first or, if chosen, oldest first (KYC-21 to KYC-24). The list is read again after each change event,
 * every 15 s and after each decision. While the pointer or the focus is on it, changes wait behind a button, so that
 * nothing moves under a click. The case's code loads with the first case.
 */
import { kycAttemptStatuses } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { lazyCode } from '../../../shared/code/lazy-code.tsx';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { useRowFreeze, WaitingChanges } from '../../../shared/table/index.ts';
import { Button, EmptyState, Segmented } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { CaseMissing, CaseOpening } from './CaseFrame.tsx';
import { CheckTable, rowId } from './CheckTable.tsx';
import { filterArgs } from './cases.ts';
import { statusStyles } from './labels.ts';
import { useOldestFirst } from './order.ts';
import { isNarrowed, QueueFilters } from './QueueFilters.tsx';
import { refetchLists, useChecks } from './useChecks.ts';
import { useReviewParams } from './useReviewParams.ts';

const CaseDialog = lazyCode(() => import('./CaseDialog.tsx'), 'part', CaseMissing);

const statuses = kycAttemptStatuses.map((status) => ({ value: status, label: statusStyles[status].label }));

const emptyTexts = {
  pending: ['Nothing to review', 'New submissions appear here automatically.'],
  approved: ['Nothing approved yet', 'Approved checks are listed here.'],
  rejected: ['Nothing rejected yet', 'Rejected checks are listed here with their reasons.'],
} as const;

export function KycTab() {
  const { filter, openId, changeFilter, open } = useReviewParams();
  const { status } = filter;
  const isOldestFirst = useOldestFirst();
  const cache = useQueryClient();
  const { isFrozen, handlers } = useRowFreeze();
  const { rows, waiting, show, pages, latest } = useChecks(
    filter,
    isOldestFirst,
    isFrozen && openId === null,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef<string | null>(null);

  // After the dialog closed, the focus moves to its row, else to the heading with the remaining count.
  useEffect(() => {
    const before = wasOpen.current;
    wasOpen.current = openId;
    if (openId !== null || before === null) return;
    const row = document.getElementById(rowId(before));
    (row ?? heading.current)?.focus();
  }, [openId]);

  // The list beneath announces a case that was decided.
  useEffect(() => {
    if (openId === null) refetchLists(cache);
  }, [openId, cache]);

  const [emptyTitle, emptyText] = isNarrowed(filter)
    ? (['No checks match these filters', 'Clear the filters to see all of them.'] as const)
    : emptyTexts[status];
  return (
    <section
      aria-labelledby="kyc-heading"
      tabIndex={-1}
      className="flex outline-none flex-col gap-3 p-6 max-lg:p-4 max-md:p-3"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="kyc-heading" ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
          Identity checks
        </h1>
        <Segmented
          label="Status"
          size="compact"
          options={statuses}
          value={status}
          onChange={(next) => changeFilter({ status: next })}
        />
        <div className="ml-auto flex items-center gap-3 text-12 text-text-3">
          {pages.isError && rows !== undefined ? <StaleNotice /> : null}
          <WaitingChanges count={waiting} onShow={show} />
          <ExportButton what="identity checks" args={{ p_list: 'kyc', p_kyc: filterArgs(filter) }} />
          {latest === undefined ? null : (
            <span role="status" className="figures">
              {`${latest.total} ${statusStyles[status].label.toLowerCase()}`}
            </span>
          )}
        </div>
      </div>
      <QueueFilters
        filter={filter}
        isOldestFirst={isOldestFirst}
        countries={latest?.countries ?? []}
        onChange={changeFilter}
      />
      <div className="panel overflow-hidden">
        <CheckTable
          status={status}
          isOldestFirst={isOldestFirst}
          minAge={latest?.min_age ?? 0}
          now={latest === undefined ? 0 : Date.parse(latest.at)}
          rows={rows}
          reading={pages}
          empty={<EmptyState title={emptyTitle}>{emptyText}</EmptyState>}
          freeze={handlers}
          onOpen={open}
        />
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
