/**
 * All wallets, their figures and whether they match the ledger (ADMIN-81 to ADMIN-84). Read only: funds change on the user page
 * (A76). The URL stores search, order and page.
 */
import { texts } from '@fulcrum/contract/texts';
import { useEffect, useRef } from 'react';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { ColumnsMenu, useColumnChoice } from '../../../shared/table/index.ts';
import { Pager } from '../../../shared/table/Pager.tsx';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { useRowFreeze } from '../../../shared/table/useFrozenRows.ts';
import { WaitingChanges } from '../../../shared/table/WaitingChanges.tsx';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { MainAccounts } from '../MainAccounts.tsx';
import { ReconcileButton, ReconcileResult, useReconciliation } from './Reconciliation.tsx';
import { useWallets } from './useWallets.ts';
import { sortLabels, WalletTable, walletColumns } from './WalletTable.tsx';
import { pageRows, sortQuery, type WalletQuery, walletsUrlState } from './wallets.ts';

export function WalletsTab() {
  const [query, changeUrl] = useUrlState(walletsUrlState);
  const change = (next: Partial<WalletQuery>) => changeUrl({ page: 1, ...next });
  const { isFrozen, handlers } = useRowFreeze();
  const { rows, waiting, total, show, read } = useWallets(query, isFrozen);
  const columns = useColumnChoice('wallets');
  const reconciliation = useReconciliation();
  const heading = useRef<HTMLHeadingElement>(null);
  const pages = Math.max(1, Math.ceil(total / pageRows));
  // A page beyond the end shows the last page.
  const isBeyond = rows !== undefined && !read.isPlaceholderData && query.page > pages;
  useEffect(() => {
    if (isBeyond) change({ page: pages });
  });

  const clear = () => {
    change({ search: '' });
    heading.current?.focus();
  };
  const search = query.search.trim();
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
        <MainAccounts />
        <SearchField
          label="Username, email or id"
          value={query.search}
          onSearch={(search) => change({ search })}
          className="w-60 max-md:order-1 max-md:w-full"
        />
        <div className="ml-auto flex items-center gap-3 text-12 text-text-3">
          {read.isError && rows !== undefined ? <StaleNotice /> : null}
          <WaitingChanges count={waiting} onShow={show} />
          <ColumnsMenu what="wallets" columns={walletColumns} {...columns} />
          <ExportButton what="wallets" args={{ p_list: 'wallets', p_search: search }} />
          <ReconcileButton reconciliation={reconciliation} />
        </div>
      </div>
      <ReconcileResult reconciliation={reconciliation} />
      <div className="panel overflow-hidden">
        <WalletTable
          rows={rows}
          reading={read}
          failed={getErrorMessage(read.error, texts.unknownErrorOccurred)}
          empty={
            search === '' ? (
              <EmptyState title={texts.noWallets}>Each trader gets a wallet with the account.</EmptyState>
            ) : (
              <EmptyState title={texts.noWallets} action={<Button onClick={clear}>Clear search</Button>}>
                {`No username, email or id contains “${search}”.`}
              </EmptyState>
            )
          }
          sorted={query}
          onSort={(by) => change(sortQuery(query, by))}
          freeze={handlers}
          chosen={columns.chosen}
        />
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-t border-line px-4 text-12 text-text-2">
          <p role="status">
            {rows === undefined ? null : `Sorted by ${sortLabels[query.sort]}, ${query.order}.`}
          </p>
          {rows === undefined || total === 0 ? null : (
            <Pager
              what="wallets"
              one="wallet"
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
