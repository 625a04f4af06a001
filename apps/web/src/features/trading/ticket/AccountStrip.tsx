/** Equity, unrealized result and margin of the whole account, at the ticket's foot. */
import { type ReactNode, useMemo } from 'react';
import { useOpenPositions, useWallet } from '../../../shared/account/index.ts';
import { Amount, formatAmount, formatPercent, LiveFigure, noFigure } from '../../../shared/numbers/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { followEquity, followTotalPnl, totalMargin } from '../positions/figures.ts';

export const formatSigned = (value: number | null | undefined) => formatAmount(value, 'always');
const formatMoney = (value: number | null | undefined) => formatAmount(value);

/** Live sources of the account's equity and unrealized PnL; null until wallet and positions are there. */
export function useAccountSources() {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  const balance = wallet === undefined ? undefined : (wallet?.balance ?? 0);
  return useMemo(() => {
    if (!positions || balance === undefined) return null;
    return {
      unrealized: followTotalPnl(stream, positions),
      equity: followEquity(stream, positions, balance),
      margin: totalMargin(positions),
      balance,
    };
  }, [stream, positions, balance]);
}

interface RowProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Row({ label, className = '', children }: RowProps) {
  return (
    <div className={`flex h-[23px] items-center justify-between gap-3 ${className}`}>
      <dt className="text-12 whitespace-nowrap text-text-2">{label}</dt>
      <dd className="min-w-0 truncate text-13 font-medium">{children}</dd>
    </div>
  );
}

/** A longer form leaves room for equity and bar alone where the screen is low, so that it never scrolls at 900. */
const foldedAway = '[@media(max-height:1000px)]:hidden';

export function AccountStrip({ folds }: { readonly folds: boolean }) {
  const fold = folds ? foldedAway : '';
  const account = useAccountSources();
  const share = account && account.balance > 0 ? (account.margin / account.balance) * 100 : 0;
  return (
    <section aria-labelledby="ticket-account">
      <h2 id="ticket-account" className={`mb-1 text-13 font-semibold ${fold}`}>
        Account
      </h2>
      <dl>
        <Row label="Equity">
          {account ? <LiveFigure source={account.equity} format={formatMoney} flashes={false} /> : noFigure}
          <span className="font-normal text-text-3"> USDT</span>
        </Row>
        <Row label="Unrealized PnL" className={fold}>
          {account ? (
            <LiveFigure source={account.unrealized} format={formatSigned} colour="sign" />
          ) : (
            noFigure
          )}
        </Row>
        <Row label="Margin in use" className={fold}>
          <Amount value={account?.margin} />
          <span className="figures font-normal text-text-3">
            {account ? ` ${formatPercent(share, 'negative')}` : ''}
          </span>
        </Row>
      </dl>
      <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-accent" style={{ width: `${Math.min(100, share)}%` }} />
      </div>
    </section>
  );
}
