/**
 * Equity, unrealized result and margin of the whole account at the bottom of the ticket, now and with the entered
 * order.
 */
import { asMoney, parseDecimal, toNumber } from '@fulcrum/domain';
import { type ReactNode, useMemo } from 'react';
import { useOpenPositions, useWallet } from '../../../shared/account/index.ts';
import { Amount, formatAmount, formatPercent, LiveFigure, noFigure } from '../../../shared/numbers/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { createEquitySource, createTotalPnlSource, totalMargin } from '../positions/figures.ts';
import { getAfterOrder, getMarginUse } from './margin-use.ts';
import type { Ticket } from './useTicket.ts';
import { useSettledFigure, useTicketValue } from './useTicketValue.ts';
import type { OrderFacts } from './validators.ts';

export const formatSigned = (value: number | null | undefined) => formatAmount(value, 'always');
/** A figure's value with the order; empty while there is no order. */
export const formatAfter = (value: number | null | undefined) =>
  value == null ? '' : ` → ${formatAmount(value)}`;

/** Live sources of the account's equity and unrealized PnL; null until wallet and positions are loaded. */
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
      unrealized: createTotalPnlSource(stream, positions),
      equity: createEquitySource(stream, positions, balance),
      margin,
      balance,
      use: getMarginUse(whole ?? 0n, free ?? 0n, margins ?? 0n),
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

const getUsedByOrder = (facts: OrderFacts): number | null => {
  const after = getAfterOrder(facts);
  return after === null ? null : toNumber(after.taken);
};

/** `4,484.60 → 5,069.50`, or its share of the balance while no order is entered. */
function MarginInUse({ ticket, account }: { readonly ticket: Ticket; readonly account: Account }) {
  const { use, balance } = account;
  const inUse = toNumber(use.inUse);
  const share = balance > 0 ? (inUse / balance) * 100 : 0;
  const { after, shareUnlessAfter } = useMemo(
    () => ({
      after: (facts: OrderFacts) => {
        const order = getAfterOrder(facts);
        return order === null ? null : toNumber(asMoney(use.inUse + order.taken));
      },
      shareUnlessAfter: (facts: OrderFacts) => (getAfterOrder(facts) === null ? share : null),
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

/** Margin of positions, reserves of orders, and in a lighter colour the margin of the entered order. */
function MarginBar({ ticket, account }: { readonly ticket: Ticket; readonly account: Account | null }) {
  const { state, factsOf } = ticket;
  const taken = useTicketValue(ticket, () => getUsedByOrder(factsOf(state.settled))) ?? 0;
  const parts = account
    ? [
        { name: 'positions', sum: toNumber(account.use.positions), colour: 'bg-accent' },
        { name: 'reserved', sum: toNumber(account.use.reserved), colour: 'bg-accent/45' },
        { name: 'typed', sum: taken, colour: 'bg-accent/20' },
      ]
    : [];
  const balance = account?.balance ?? 0;
  return (
    <div aria-hidden="true" className="mt-1.5 flex h-1 overflow-hidden rounded-full bg-line">
      {parts.map(({ name, sum, colour }) => (
        <span
          key={name}
          className={`${colour} transition-[width]`}
          style={{ width: balance > 0 ? `${Math.min(100, (sum / balance) * 100)}%` : 0 }}
        />
      ))}
    </div>
  );
}

/** On a low screen a longer form shows only equity and bar, so that it never scrolls at 900 px. */
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
          {account ? (
            <LiveFigure source={account.equity} format={formatAmount} flashes={false} marksSteps />
          ) : (
            noFigure
          )}
          <span className="font-normal text-text-3"> USDT</span>
        </Row>
        <Row label="Unrealized PnL" className={fold}>
          {account ? (
            <LiveFigure source={account.unrealized} format={formatSigned} colour="sign" marksSteps />
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
