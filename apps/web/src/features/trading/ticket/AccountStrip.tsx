/** Equity, unrealized result and margin of the whole account, at the ticket's foot, as they are and with the typed order. */
import { asMoney, parseDecimal, toNumber } from '@fulcrum/domain';
import { type ReactNode, useMemo } from 'react';
import { useOpenPositions, useWallet } from '../../../shared/account/index.ts';
import { Amount, formatAmount, formatPercent, LiveFigure, noFigure } from '../../../shared/numbers/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { followEquity, followTotalPnl, totalMargin } from '../positions/figures.ts';
import { afterOrder, marginUse } from './margin-use.ts';
import { useSettledFigure, useShown } from './useShown.ts';
import type { Ticket } from './useTicket.ts';
import type { OrderFacts } from './validators.ts';

export const formatSigned = (value: number | null | undefined) => formatAmount(value, 'always');
const formatMoney = (value: number | null | undefined) => formatAmount(value);
/** What a figure becomes with the order; nothing while there is none. */
export const formatAfter = (value: number | null | undefined) =>
  value == null ? '' : ` → ${formatAmount(value)}`;

/** Live sources of the account's equity and unrealized PnL; null until wallet and positions are there. */
export function useAccountSources() {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  const balance = wallet === undefined ? undefined : (wallet?.balance ?? 0);
  const available = wallet?.availableBalance ?? 0;
  return useMemo(() => {
    if (!positions || balance === undefined) return null;
    const margin = totalMargin(positions);
    const [whole, free, margins] = [balance, available, margin].map((sum) => parseDecimal(sum));
    return {
      unrealized: followTotalPnl(stream, positions),
      equity: followEquity(stream, positions, balance),
      margin,
      balance,
      use: marginUse(whole ?? 0n, free ?? 0n, margins ?? 0n),
    };
  }, [stream, positions, balance, available]);
}
type Account = NonNullable<ReturnType<typeof useAccountSources>>;

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

const takenOf = (facts: OrderFacts): number | null => {
  const after = afterOrder(facts);
  return after === null ? null : toNumber(after.taken);
};

/** `4,484.60 → 5,069.50`, or its share of the balance while no order is typed. */
function MarginInUse({ ticket, account }: { readonly ticket: Ticket; readonly account: Account }) {
  const { use, balance } = account;
  const inUse = toNumber(use.inUse);
  const share = balance > 0 ? (inUse / balance) * 100 : 0;
  const { after, shareUnlessAfter } = useMemo(
    () => ({
      after: (facts: OrderFacts) => {
        const order = afterOrder(facts);
        return order === null ? null : toNumber(asMoney(use.inUse + order.taken));
      },
      shareUnlessAfter: (facts: OrderFacts) => (afterOrder(facts) === null ? share : null),
    }),
    [use, share],
  );
  return (
    <>
      <Amount value={inUse} />
      <LiveFigure source={useSettledFigure(ticket, after)} format={formatAfter} flashes={false} />
      <LiveFigure
        source={useSettledFigure(ticket, shareUnlessAfter)}
        format={formatShare}
        flashes={false}
        className="font-normal text-text-3"
      />
    </>
  );
}
const formatShare = (value: number | null | undefined) =>
  value == null ? '' : ` ${formatPercent(value, 'negative')}`;

/** Positions, what orders reserve, and paler what the typed order would take. */
function MarginBar({ ticket, account }: { readonly ticket: Ticket; readonly account: Account | null }) {
  const { state, factsOf } = ticket;
  const taken = useShown(ticket, () => takenOf(factsOf(state.settled))) ?? 0;
  const parts = account
    ? [
        { name: 'positions', sum: toNumber(account.use.positions), look: 'bg-accent' },
        { name: 'reserved', sum: toNumber(account.use.reserved), look: 'bg-accent/45' },
        { name: 'typed', sum: taken, look: 'bg-accent/20' },
      ]
    : [];
  const balance = account?.balance ?? 0;
  return (
    <div aria-hidden="true" className="mt-1.5 flex h-1 overflow-hidden rounded-full bg-line">
      {parts.map(({ name, sum, look }) => (
        <span
          key={name}
          className={`${look} transition-[width]`}
          style={{ width: balance > 0 ? `${Math.min(100, (sum / balance) * 100)}%` : 0 }}
        />
      ))}
    </div>
  );
}

/** A longer form leaves room for equity and bar alone where the screen is low, so that it never scrolls at 900. */
const foldedAway = '[@media(max-height:1000px)]:hidden';

interface AccountStripProps {
  readonly ticket: Ticket;
  readonly folds: boolean;
}

export function AccountStrip({ ticket, folds }: AccountStripProps) {
  const fold = folds ? foldedAway : '';
  const account = useAccountSources();
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
          {account ? <MarginInUse ticket={ticket} account={account} /> : noFigure}
        </Row>
      </dl>
      <MarginBar ticket={ticket} account={account} />
    </section>
  );
}
