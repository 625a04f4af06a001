/**
 * The details of a pair's contract: settlement (A25), trading hours, steps, formulas, and the source of its price.
 * Known limitation: the server does not publish whether it applies a market's hours. That prices run outside of them
 * is derived from the price itself.
 */
import {
  ALWAYS_OPEN,
  asPrice,
  isMarketOpen,
  MIN_LEVERAGE,
  nextClosing,
  nextOpening,
  parseDecimal,
  quotedProfiles,
  type Side,
} from '@fulcrum/domain';
import type { ReactNode } from 'react';
import { getAccountTerms } from '../../shared/account/index.ts';
import { decimalsOfStep, formatFigure, formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { explainState, sourceNames } from '../../shared/prices/state-explanation.ts';
import { stateLabels } from '../../shared/prices/state-labels.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { formatLongInstant } from '../../shared/time/dates.ts';
import { Dialog, Sheet, usePhone } from '../../shared/ui/index.ts';
import { type Pair, usePriceStream, useReadPriceStatus, useSampled } from '../market/index.ts';
import {
  type AccountRules,
  describeLiquidation,
  describeLiquidationExample,
  describeRules,
} from './account-rules.ts';
import { describeHours } from './describe-hours.ts';

interface PairProps {
  readonly pair: Pair;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="border-t border-line pt-3 first:border-t-0 first:pt-0">
      <h3 className="mb-1 text-12 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-baseline justify-between gap-6 py-0.5">
      <dt className="shrink-0 text-12 text-text-2">{label}</dt>
      <dd className="figures text-right text-13">{children}</dd>
    </div>
  );
}

/** The session by the trading hours; synthetic prices may make the market trade outside of them. */
function useSession({ symbol, tradingHours }: Pair): { readonly now: string; readonly next: string | null } {
  const stream = usePriceStream();
  return useSampled(symbol, () => {
    const isTrading = stream.latest(symbol)?.market_open ?? false;
    const now = isTrading ? 'Open' : 'Closed';
    if (tradingHours === ALWAYS_OPEN) return { now, next: null };
    const at = stream.marketNow(symbol);
    const isOpenByHours = isMarketOpen(tradingHours, at);
    const bound = isOpenByHours ? nextClosing(tradingHours, at) : nextOpening(tradingHours, at);
    const next = bound === null ? null : `${isOpenByHours ? 'Close' : 'Open'}s ${formatLongInstant(bound)}`;
    const isOutside = isTrading && !isOpenByHours;
    return { now: isOutside ? 'Open outside its hours: this server’s prices run all day' : now, next };
  });
}

function Hours({ pair }: PairProps) {
  const { lines, zone } = describeHours(pair.tradingHours);
  const { now, next } = useSession(pair);
  return (
    <Part title="Trading hours">
      <dl>
        <Row label={zone === null ? 'Open' : zone}>
          {lines.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Row>
        <Row label="Now">{now}</Row>
        {next === null ? null : <Row label="Next, in your time">{next}</Row>}
      </dl>
    </Part>
  );
}

function Steps({ pair }: PairProps) {
  const { tickSize, stepSize, minQty, maxQty, baseAsset, quoteAsset } = pair;
  const { leverageMax } = getAccountTerms(useSignedIn());
  const size = (value: number) => `${formatSize(value, stepSize)} ${baseAsset}`;
  return (
    <Part title="Steps and limits">
      <dl>
        <Row label="Price tick">{`${formatFigure(tickSize, decimalsOfStep(tickSize))} ${quoteAsset}`}</Row>
        <Row label="Lowest and highest price">
          {formatPrice(pair.minPrice, Math.min(tickSize, pair.minPrice))} to{' '}
          {formatPrice(pair.maxPrice, tickSize)} {quoteAsset}
        </Row>
        <Row label="Smallest amount">{size(minQty)}</Row>
        <Row label="Largest amount">{size(maxQty)}</Row>
        <Row label="Amount step">{size(stepSize)}</Row>
        <Row label="Leverage">
          {MIN_LEVERAGE}× to {leverageMax}×
        </Row>
      </dl>
    </Part>
  );
}

const liquidationLabels = { BUY: 'Liquidation, long', SELL: 'Liquidation, short' } as const;

function useAccountRules(): AccountRules {
  const signedIn = useSignedIn();
  const { rules, feeRate } = getAccountTerms(signedIn);
  const profile = quotedProfiles.find((name) => name === signedIn.account?.fillProfile) ?? null;
  return { rules, feeRate, profile };
}

function LiquidationRow({ pair, side }: PairProps & { readonly side: Side }) {
  const stream = usePriceStream();
  const account = useAccountRules();
  const example = useSampled(pair.symbol, () => {
    const latest = stream.latest(pair.symbol)?.price;
    const price = latest === undefined ? null : asPrice(parseDecimal(latest));
    return price === null ? null : describeLiquidationExample(side, account, pair, price);
  });
  return (
    <Row label={liquidationLabels[side]}>
      <span className="block">{describeLiquidation(side, account)}</span>
      <span className="block text-12 text-text-2">{example ?? 'No price yet'}</span>
    </Row>
  );
}

function Rules({ pair }: PairProps) {
  const { maintenanceMargin, closingPnl, fee } = describeRules(useAccountRules(), pair);
  return (
    <Part title="Margin and liquidation">
      <dl>
        <Row label="Required margin">Amount × price ÷ leverage</Row>
        <Row label="Maintenance margin">{maintenanceMargin}</Row>
        <LiquidationRow pair={pair} side="BUY" />
        <LiquidationRow pair={pair} side="SELL" />
        <Row label="PnL of a close">{closingPnl}</Row>
        <Row label="Fee">{fee}</Row>
      </dl>
    </Part>
  );
}

function PriceSource({ pair }: PairProps) {
  const read = useReadPriceStatus();
  const { state, source, text } = useSampled(pair.symbol, () => {
    const priceStatus = read(pair);
    return { state: priceStatus.state, source: priceStatus.source, text: explainState(priceStatus) };
  });
  return (
    <Part title="Price">
      <dl>
        <Row label="Source">{source === null ? 'None yet' : sourceNames[source]}</Row>
        <Row label="State">{stateLabels[state].label}</Row>
      </dl>
      <p className="mt-1 text-12 text-text-2">{text}</p>
    </Part>
  );
}

function Details({ pair }: PairProps) {
  const { baseAsset, quoteAsset } = pair;
  return (
    <div className="flex flex-col gap-3">
      <Part title={pair.name}>
        <dl>
          <Row label="Market">
            <span className="capitalize">{pair.type}</span>
          </Row>
          <Row label="Quoted in">{quoteAsset}</Row>
          <Row label="Margin and result in">USDT</Row>
        </dl>
        <p className="mt-1 text-12 text-text-2">
          {quoteAsset === 'USDT'
            ? `Each USDT that the price moves is worth 1 USDT per ${baseAsset}.`
            : `A quanto contract: each ${quoteAsset} that the price moves is worth 1 USDT per ${baseAsset}. Nothing is converted.`}
        </p>
      </Part>
      <Hours pair={pair} />
      <Steps pair={pair} />
      <Rules pair={pair} />
      <PriceSource pair={pair} />
    </div>
  );
}

export default function ContractDetails({ pair, onClose }: PairProps & { readonly onClose: () => void }) {
  const Shell = usePhone() ? Sheet : Dialog;
  return (
    <Shell open onOpenChange={onClose} title={`${pair.symbol} contract`}>
      <Details pair={pair} />
    </Shell>
  );
}
