/**
 * What a trader can know and do before the dashboard's own widgets exist: the balances, and the way to the trading
 * screen. A15: the widget says dollars and the true available balance, 0.00 only before it is read.
 */
import { texts } from '@fulcrum/contract/texts';
import { useOpenPositions, useWallet } from '../../shared/account/index.ts';
import { Amount } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { ButtonLink, ErrorState, SimulatedBadge } from '../../shared/ui/index.ts';

function Balance({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <dt className="text-12 text-text-2">{label}</dt>
      <dd className="figures text-28 font-semibold tracking-[-0.02em]">
        $<Amount value={value} />
      </dd>
    </div>
  );
}

export default function DashboardPage() {
  const { user } = useSignedIn();
  const wallet = useWallet();
  const open = useOpenPositions();
  const count = open.data?.length ?? 0;
  return (
    <div className="mx-auto flex w-full max-w-[1232px] flex-col gap-4 px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>Dashboard · Fulcrum</title>
      <section className="panel p-6 max-md:p-4">
        <div className="flex items-center justify-between gap-4">
          <h1 className="min-w-0 text-20 font-semibold wrap-anywhere">{`Welcome, ${user.username}`}</h1>
          <SimulatedBadge />
        </div>
        {wallet.isError && wallet.data === undefined ? (
          <ErrorState
            title={texts.fetchWalletFailed}
            onRetry={() => wallet.refetch()}
            retrying={wallet.isFetching}
          />
        ) : (
          <dl className="mt-5 flex flex-wrap gap-x-14 gap-y-4" aria-busy={wallet.isPending}>
            <Balance label="Total balance" value={wallet.data?.balance ?? 0} />
            <Balance label="Available balance" value={wallet.data?.availableBalance ?? 0} />
            <div>
              <dt className="text-12 text-text-2">Open positions</dt>
              <dd className="figures text-28 font-semibold tracking-[-0.02em]">{count}</dd>
            </div>
          </dl>
        )}
        <div className="mt-6 flex flex-wrap gap-2">
          <ButtonLink to="/trading" tone="primary" size="large">
            {count === 0 ? 'Open a position' : 'Go to your positions'}
          </ButtonLink>
          <ButtonLink to="/wallet" size="large">
            See your wallet
          </ButtonLink>
        </div>
      </section>
      <section className="panel p-6 text-14 text-text-2 max-md:p-4">
        <h2 className="text-14 font-semibold text-text">What comes here</h2>
        <p className="mt-1 max-w-prose">
          Market overview, calculators, calendar, news and your trading journal are planned for this page and
          not built yet. Trading and the wallet work today.
        </p>
      </section>
    </div>
  );
}
