/**
 * ADMIN-81 to ADMIN-84: everybody's wallet, what it holds and whether the ledger says the same. Read only (A76): funds are
 * changed at the person. Search, order and page stand in the address.
 */
import { texts } from '@fulcrum/contract/texts';
import { useEffect, useRef } from 'react';
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';
import { messageOf } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { OutOfDate } from '../../../shared/ui/OutOfDate.tsx';
import { Pager } from '../rows/Pager.tsx';
import { SearchField } from '../rows/SearchField.tsx';
import { useHold } from '../rows/useHeldRows.ts';
import { WaitingChanges } from '../rows/WaitingChanges.tsx';
import { ReconcileButton, ReconcileResult, useReconciling } from './Reconcile.tsx';
import { useWallets } from './useWallets.ts';
import { sortWords, WalletSkeleton, WalletTable } from './WalletTable.tsx';
import { pageRows, readQuery, sortedBy, type WalletQuery, type WalletSort, writeQuery } from './wallets.ts';

function useAddress() {
  const [params, setParams] = useAddressParams();
  const change = (next: Partial<WalletQuery>) =>
    setParams((held) => writeQuery(held, { ...readQuery(held), page: 1, ...next }), {
      replace: true,
      preventScrollReset: true,
      state: inPlace,
    });
  return { query: readQuery(params), change } as const;
}

export function WalletsTab() {
  const { query, change } = useAddress();
  const { isHeld, handlers } = useHold();
  const { rows, waiting, total, show, read } = useWallets(query, isHeld);
  const reconciling = useReconciling();
  const heading = useRef<HTMLHeadingElement>(null);
  const pages = Math.max(1, Math.ceil(total / pageRows));
  // A page that is there no more shows the last one.
  const isBeyond = rows !== undefined && !read.isPlaceholderData && query.page > pages;
  useEffect(() => {
    if (isBeyond) change({ page: pages });
  });

  const sort = (by: WalletSort) => change(sortedBy(query, by));
  const clear = () => {
    change({ search: '' });
    heading.current?.focus();
  };
  const content = () => {
    if (rows === undefined) {
      if (!read.isError) return <WalletSkeleton query={query} onSort={sort} />;
      return (
        <ErrorState
          title={messageOf(read.error, texts.unknownErrorOccurred)}
          onRetry={() => void read.refetch()}
          retrying={read.isFetching}
        />
      );
    }
    if (rows.length > 0) return <WalletTable rows={rows} query={query} onSort={sort} />;
    if (query.search.trim() === '') {
      return <EmptyState title={texts.noWallets}>Each trader gets one with the account.</EmptyState>;
    }
    return (
      <EmptyState title={texts.noWallets} action={<Button onClick={clear}>Clear search</Button>}>
        {`Nobody's username, email or id has “${query.search.trim()}” in it.`}
      </EmptyState>
    );
  };
  return (
    <section
      aria-labelledby="wallets-heading"
      tabIndex={-1}
      className="p-6 outline-none max-lg:p-4 max-md:p-3"
    >
      <title>Wallets · Fulcrum</title>
      <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="wallets-heading" ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
          Wallets
        </h1>
        <SearchField
          label="Username, email or id"
          value={query.search}
          onSearch={(search) => change({ search })}
          className="w-60 max-md:order-1 max-md:w-full"
        />
        <div className="ml-auto flex items-center gap-3 text-12 text-text-3">
          {read.isError && rows !== undefined ? <OutOfDate /> : null}
          <WaitingChanges count={waiting} onShow={show} />
          <ReconcileButton reconciling={reconciling} />
        </div>
      </div>
      <ReconcileResult reconciling={reconciling} />
      <div className="panel overflow-hidden">
        <div className="overflow-x-auto" aria-busy={read.isPlaceholderData || undefined} {...handlers}>
          {content()}
        </div>
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-t border-line px-4 text-12 text-text-2">
          <p role="status">
            {rows === undefined ? null : `Sorted by ${sortWords[query.sort]}, ${query.order}.`}
          </p>
          {rows === undefined || total === 0 ? null : (
            <Pager
              what={total === 1 ? 'wallet' : 'wallets'}
              page={query.page}
              pageRows={pageRows}
              total={total}
              onPage={(page) => change({ page })}
            />
          )}
        </div>
      </div>
    </section>
  );
}
