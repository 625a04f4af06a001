/**
 * The account's main figures: DASH-07 to DASH-09 in dollars, with equity and the day's result live. The balance is
 * the true available balance, 0.00 only before it is read or without a wallet (A15). A tick writes text and renders
 * nothing.
 */
import type { EquityOverview } from '@fulcrum/contract';
import { texts } from '@fulcrum/contract/texts';
import { parseDecimal, toNumber } from '@fulcrum/domain';
import { type ReactNode, useMemo } from 'react';
import { marginInUse, useWallet } from '../../../shared/account/index.ts';
import {
  Dollars,
  formatAmount,
  formatDollars,
  formatPercent,
  LiveFigure,
  noFigure,
} from '../../../shared/numbers/index.ts';
import { ReadError } from '../../../shared/ui/index.ts';
import { followResult, followReturn, useEquitySources } from './equity-sources.ts';

type Value = number | null | undefined;
const formatGain = (value: Value) => formatDollars(value, 'always');
const formatSigned = (value: Value) => formatAmount(value, 'always');

/** From this sum on, a figure no longer fits its column in the regular size. */
const longFrom = 100_000;
const longerFrom = 10_000_000;

/** Depends on the balance alone: a figure that ticks never changes its size. */
function sizeFor(balance: number): string {
  if (balance >= longerFrom) return 'text-16 max-md:text-13';
  return balance >= longFrom ? 'text-20 max-md:text-16' : 'text-28 max-md:text-20';
}

interface FigureProps {
  readonly label: string;
  readonly beneath: ReactNode;
  /** The size's class. */
  readonly size: string;
  readonly children: ReactNode;
}

function Headline({ label, beneath, size, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-text-2">{label}</dt>
      <dd className={`flex h-[34px] items-center font-semibold tracking-[-0.02em] max-md:h-7 ${size}`}>
        {children}
      </dd>
      <dd className="mt-1 h-5 truncate text-12 text-text-2 max-[359px]:h-10 max-[359px]:whitespace-normal">
        {beneath}
      </dd>
    </div>
  );
}

const unknown = <span className="text-text-3">{noFigure}</span>;

export function BalanceFigures({ day }: { readonly day: EquityOverview['day'] | undefined }) {
  const wallet = useWallet();
  const live = useEquitySources();
  const today = useMemo(
    () =>
      live && day ? { result: followResult(live.equity, day), share: followReturn(live.equity, day) } : null,
    [live, day],
  );
  if (wallet.isError && wallet.data === undefined) {
    return (
      <div className="flex h-full items-center max-md:h-[164px]">
        <ReadError shape="line" title={texts.fetchWalletFailed} reading={wallet} />
      </div>
    );
  }
  const balance = wallet.data?.balance ?? 0;
  const available = wallet.data?.availableBalance ?? 0;
  const inUse = toNumber(marginInUse(parseDecimal(balance), parseDecimal(available)));
  const size = sizeFor(balance);
  return (
    <section aria-label="Account balance" aria-busy={wallet.isPending} className="min-w-0">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-[1.1fr_1.1fr_1fr_0.9fr]">
        <Headline
          label="Total balance"
          size={size}
          beneath={
            <>
              Available <Dollars value={available} className="font-medium text-text" />
            </>
          }
        >
          <Dollars value={balance} />
        </Headline>
        <Headline
          label="Equity"
          size={size}
          beneath={
            <>
              Unrealized{' '}
              {live ? <LiveFigure source={live.unrealized} format={formatSigned} colour="sign" /> : unknown}
            </>
          }
        >
          {live ? <LiveFigure source={live.equity} format={formatDollars} flashes={false} /> : unknown}
        </Headline>
        <Headline
          label="PnL today"
          size={size}
          beneath={
            <>
              {today ? <LiveFigure source={today.share} format={formatPercent} colour="sign" /> : unknown}{' '}
              since 00:00 UTC
            </>
          }
        >
          {today ? <LiveFigure source={today.result} format={formatGain} colour="sign" /> : unknown}
        </Headline>
        <Headline
          label="Margin in use"
          size={size}
          beneath={
            <>
              <Dollars value={inUse} className="font-medium text-text" /> of balance
            </>
          }
        >
          <span className="figures">
            {formatPercent(balance > 0 ? (inUse / balance) * 100 : 0, 'negative')}
          </span>
        </Headline>
      </dl>
    </section>
  );
}
