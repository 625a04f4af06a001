/** The account's balance and the part of it in use (WALL-01 to WALL-03). */
import { texts } from '@fulcrum/contract/texts';
import { useOpenPositions, useWallet } from '../../shared/account/index.ts';
import { Amount } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { ReadError, SimulatedBadge, Skeleton } from '../../shared/ui/index.ts';
import { EmptyWallet } from './EmptyWallet.tsx';
import { type BalanceSplit, splitBalance } from './history.ts';
import { ResetAccount } from './ResetAccount.tsx';

const parts = [
  { key: 'available', label: 'Available', colour: 'bg-holding-1' },
  { key: 'inPositions', label: 'In positions', colour: 'bg-holding-2' },
  { key: 'reserved', label: 'Reserved by orders', colour: 'bg-holding-9' },
] as const;

function SplitBar({ split }: { readonly split: BalanceSplit }) {
  const shown = parts.filter(({ key }) => key !== 'reserved' || split.reserved > 0);
  return (
    <>
      <div aria-hidden="true" className="mt-4 flex h-2 gap-0.5 overflow-hidden rounded-full bg-line">
        {shown.map(({ key, colour }) =>
          split[key] > 0 ? (
            <span
              key={key}
              className={`min-w-0.5 ${colour}`}
              style={{ flexGrow: split[key], flexBasis: 0 }}
            />
          ) : null,
        )}
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-7 gap-y-1 text-12">
        {shown.map(({ key, label, colour }) => (
          <div key={key} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2 rounded-xs ${colour}`} />
            <dt className="text-text-2">{label}</dt>
            <dd>
              <Amount value={split[key]} className="font-medium" />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Headline({ label, value }: { readonly label: string; readonly value: number | undefined }) {
  return (
    <div>
      <dt className="text-12 text-text-2">{label}</dt>
      <dd className="text-28 font-semibold tracking-[-0.02em]">
        {value === undefined ? (
          <Skeleton className="h-6 w-44" />
        ) : (
          <>
            <Amount value={value} />{' '}
            <span className="text-14 font-normal tracking-normal text-text-3">USDT</span>
          </>
        )}
      </dd>
    </div>
  );
}

export function BalanceCard() {
  const { supabase, account, impersonation } = useSignedIn();
  const wallet = useWallet();
  const open = useOpenPositions();
  // A practice account is reset wherever it is; the operator decides about the main one.
  const mayReset =
    account?.status !== 'archived' && (supabase.config.allowReset || account?.kind === 'practice');
  const isLoading = wallet.data === undefined;
  const balance = isLoading ? undefined : (wallet.data?.balance ?? 0);
  const available = isLoading ? undefined : (wallet.data?.availableBalance ?? 0);

  if (wallet.isError && isLoading) {
    return <ReadError title={texts.fetchWalletFailed} reading={wallet} />;
  }
  return (
    <section aria-labelledby="your-wallet" aria-busy={isLoading} className="p-6 max-md:p-4">
      <div className="flex items-center justify-between gap-4">
        <h1 id="your-wallet" className="text-16 font-semibold">
          Your Wallet
        </h1>
        <SimulatedBadge what="USDT" />
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-14 gap-y-3">
        <Headline label="Total Balance" value={balance} />
        <Headline label="Available Balance" value={available} />
      </dl>
      {wallet.data && open.data ? (
        <SplitBar split={splitBalance(wallet.data, open.data)} />
      ) : (
        <div className="mt-4 mb-8 h-2 rounded-full bg-line" />
      )}
      {balance === 0 ? <EmptyWallet /> : null}
      {/* Impersonation cannot reset the account. */}
      {mayReset && impersonation === null && wallet.data ? <ResetAccount wallet={wallet.data} /> : null}
    </section>
  );
}
