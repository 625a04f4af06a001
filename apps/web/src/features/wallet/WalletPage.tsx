/** The wallet: balance, curve and every entry. `useAccountChanges` updates it live. */
import { useMemo } from 'react';
import {
  transactionsLimit,
  useClosedPositions,
  useSiteName,
  useTransactions,
  useWallet,
} from '../../shared/account/index.ts';
import { closedListLimit } from '../../shared/realtime/changes.ts';
import { BalanceCard } from './BalanceCard.tsx';
import { getCompleteSince, mergeHistory } from './history.ts';
import { TransactionHistory } from './TransactionHistory.tsx';
import { CurveSkeleton, WalletCurve } from './WalletCurve.tsx';

export default function WalletPage() {
  const wallet = useWallet();
  const transactions = useTransactions();
  const closed = useClosedPositions();
  const history = useMemo(() => {
    if (!transactions.data || !closed.data) return undefined;
    const known = { transactionsLimit, closedLimit: closedListLimit };
    return {
      entries: mergeHistory(transactions.data, closed.data),
      since: getCompleteSince({ ...known, transactions: transactions.data, closed: closed.data }),
    };
  }, [transactions.data, closed.data]);
  return (
    <div className="mx-auto w-full max-w-[1232px] px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>{`Wallet · ${useSiteName()}`}</title>
      <div className="panel grid md:grid-cols-[minmax(0,8fr)_minmax(0,7fr)]">
        <BalanceCard />
        <div className="min-w-0 border-line max-md:border-t md:border-l">
          {history && wallet.data ? (
            <WalletCurve {...history} balance={wallet.data.balance} now={Date.now()} />
          ) : (
            <CurveSkeleton />
          )}
        </div>
      </div>
      <TransactionHistory
        entries={history?.entries}
        truncated={history !== undefined && Number.isFinite(history.since)}
      />
    </div>
  );
}
