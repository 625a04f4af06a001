/** The fields of an order: its type, price, amount, leverage, take profit and stop loss. */
import { texts } from '@fulcrum/contract/texts';
import {
  asPercent,
  type BasicOrderType,
  formatFixed,
  MIN_LEVERAGE,
  parseDecimal,
  priceDecimals,
  type Side,
  sizeDecimals,
  toNumber,
} from '@fulcrum/domain';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import { type ReactNode, useCallback, useId } from 'react';
import { parseAmount } from '../../../shared/decimals/amount.ts';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { parsePrice, stepPrice } from '../../../shared/decimals/price.ts';
import { Amount, formatSize, LiveFigure } from '../../../shared/numbers/index.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';
import { formatAge } from '../../../shared/time/age.ts';
import { LiveText } from '../../../shared/time/LiveText.tsx';
import {
  Button,
  IconButton,
  Segmented,
  Skeleton,
  Slider,
  Spinner,
  Switch,
  usePhone,
} from '../../../shared/ui/index.ts';
import { ContractDetailsButton } from '../../contract-details/index.ts';
import { LastPriceFigure, type Pair, PriceStateMark, usePriceStream } from '../../market/index.ts';
import { NetOrder } from '../../order-book/index.ts';
import { LiquidationPreview } from '../liquidation-preview/LiquidationPreview.tsx';
import { formatAfter } from './AccountStrip.tsx';
import { formatShareInUnit, getAmountGrid, stepAmountText } from './amount-units.ts';
import { availableAfter } from './order-figures.ts';
import { orderTypeNames } from './order-types.ts';
import { getOutcomes } from './outcomes.ts';
import {
  ProtectionFields,
  ProtectionUnitSelect,
  type ShownOutcome,
  type ShownPrices,
  shownOutcome,
} from './ProtectionFields.tsx';
import type { ProtectionField } from './protection-units.ts';
import { ShareButtons } from './ShareButtons.tsx';
import { toPrice } from './summary.ts';
import type { Ticket } from './useTicket.ts';
import { useFailedField, useSettledFigure, useTicketValue } from './useTicketValue.ts';
import { getTypedPrice } from './validators.ts';

const shares = [10, 25, 50, 75, 100] as const;
const riskShares = [0.5, 1, 2, 3, 5] as const;
const wholeShareTitle = 'All of the balance, less 0.1 % in case the price moves';
/** The marks of the slider: round values, and the greatest leverage of the account. */
const leverageStops = (max: number): readonly number[] => [
  ...[MIN_LEVERAGE, 25, 50, 75, 100].filter((stop) => stop < max),
  max,
];
const formatLeverage = (leverage: number) => `${leverage}×`;

interface PartProps {
  readonly ticket: Ticket;
}
interface FieldProps extends PartProps {
  /** Id of the line with the failed rule. */
  readonly ruleId: string;
}

function Line({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-3">
      <dt className="text-12 whitespace-nowrap text-text-2">{label}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </div>
  );
}

/** The balance available for margin, and what the entered order would leave of it (TRADE-29). */
function Balance({ ticket }: PartProps) {
  const { balance, walletFailed } = ticket;
  const after = useSettledFigure(ticket, availableAfter);
  if (walletFailed) return <span className="text-12 text-down">{texts.fetchWalletFailed}</span>;
  if (balance === undefined) return <Skeleton className="h-3.5 w-24" />;
  return (
    <>
      <Amount value={balance} className="text-14 font-semibold" />
      <LiveFigure
        source={after}
        format={formatAfter}
        flashes={false}
        className="text-12 font-medium text-text-2"
      />
      <LiveFigure
        source={after}
        format={formatUnitUnlessAfter}
        flashes={false}
        className="text-14 font-normal text-text-3"
      />
    </>
  );
}
/** The column is too narrow for both. */
const formatUnitUnlessAfter = (value: number | null | undefined) => (value == null ? ' USDT' : '');

/** A phone's header has no room for the contract's details. */
function CurrentPriceLabel({ pair }: { readonly pair: Pair }) {
  const isPhone = usePhone();
  return (
    <span className="flex items-center gap-0.5">
      Current price
      {isPhone ? <ContractDetailsButton pair={pair} /> : null}
    </span>
  );
}

/** The reason why the price beside it may not be traded on, or the age of one that should have been replaced. */
function PriceStatusLabel({ ticket: { pair, priceStatus, isPriceLate } }: PartProps) {
  const stream = usePriceStream();
  const { symbol } = pair;
  const readAge = useCallback(() => `${formatAge(stream.ageMs(symbol))} old`, [stream, symbol]);
  if (priceStatus === 'stale' || priceStatus === 'offline' || isPriceLate)
    return <LiveText read={readAge} className="mr-2 text-11 text-warn" />;
  return <PriceStateMark market={pair} className="mr-2" />;
}

function FailedPrice({ ticket: { fetched } }: PartProps) {
  return (
    <span role="alert" className="flex items-center gap-2.5 text-12 text-down">
      {texts.fetchPriceFailed}
      <Button size="compact" onClick={fetched.retry} pending={fetched.fetching}>
        Retry
      </Button>
    </span>
  );
}

/** Shows the current price, a spinner while it loads, an error text or '---' (TRADE-30 to TRADE-32). */
export function CurrentPrice({ ticket }: PartProps) {
  const { pair, priceStatus, fetched } = ticket;
  switch (priceStatus) {
    case 'loading':
      return <Spinner size={16} label="Loading the price" />;
    case 'failed':
      return <FailedPrice ticket={ticket} />;
    case 'missing':
      if (fetched.failed) return <FailedPrice ticket={ticket} />;
      return <span className="text-16 font-semibold text-text-3">---</span>;
    default:
      return (
        <>
          <PriceStatusLabel ticket={ticket} />
          <LastPriceFigure pair={pair} className="text-16 font-semibold" />
        </>
      );
  }
}

/** The fetch of a polled price failed; the last price stays above (ERR-28, A37). */
function FailedFetch({ ticket }: PartProps) {
  const { priceStatus, fetched } = ticket;
  if (!fetched.failed || priceStatus === 'missing' || priceStatus === 'failed') return null;
  return (
    <div className="flex justify-end">
      <FailedPrice ticket={ticket} />
    </div>
  );
}

/** The price of a Limit or Stop order (A20). */
function PriceField({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch } = ticket;
  const { limits } = pair;
  const stream = usePriceStream();
  const field = useFailedField(ticket);
  const step = (ticks: bigint) => {
    const typed = parsePrice(state.typed.price);
    const from = typed.kind === 'price' ? typed.price : toPrice(stream.latest(pair.symbol)?.price);
    if (from === null) return;
    const text = formatFixed(stepPrice(from, ticks, limits), priceDecimals(limits));
    dispatch({ type: 'set', field: 'price', text });
  };
  return (
    <DecimalField
      label={state.type === 'LIMIT' ? 'Limit price' : 'Stop price'}
      inset={state.type === 'LIMIT' ? 'Limit price' : 'Stop price'}
      text={state.typed.price}
      grid={{ min: limits.minPrice, max: limits.maxPrice, step: limits.tickSize }}
      onType={(text) => dispatch({ type: 'typed', field: 'price', text })}
      onStep={step}
      unit={pair.quoteAsset}
      required
      invalid={field === 'price'}
      describedBy={ruleId}
      size="large"
    />
  );
}

const unitNames = (pair: Pair) =>
  [
    { value: 'base', label: pair.baseAsset },
    { value: 'quote', label: 'USDT' },
    { value: 'percent', label: '%' },
    { value: 'risk', label: 'Risk' },
  ] as const satisfies readonly { value: AmountUnit; label: string }[];

/** The settled amount in the base asset, which is what the form sends. */
function useConverted(ticket: Ticket): string | null {
  const { pair, state, factsOf } = ticket;
  return useTicketValue(ticket, () => {
    const { unit, amount } = state.settled;
    const { size } = factsOf(state.settled).terms;
    if (unit === 'base' || unit !== state.typed.unit || amount === '' || size === null) return null;
    return `= ${formatSize(toNumber(size), pair.stepSize)} ${pair.baseAsset}`;
  });
}

export const amountNames = {
  base: null,
  quote: 'USDT',
  percent: '%',
  risk: '% risk',
} as const satisfies Record<AmountUnit, string | null>;

function AmountField({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch, conversion, switchUnit, amountField } = ticket;
  const { amount, unit } = state.typed;
  const convertedId = useId();
  const field = useFailedField(ticket);
  const converted = useConverted(ticket);
  // The bounds in USDT follow the price on screen.
  useTicketValue(ticket, () => (unit === 'quote' ? ticket.shownPrice.get() : null));
  const set = (text: string) => dispatch({ type: 'set', field: 'amount', text });
  const takeShare = (sharePercent: number) => {
    const text = formatShareInUnit(asPercent(parseDecimal(sharePercent)), unit, conversion());
    if (text !== null) set(text);
  };
  return (
    <DecimalField
      label="Amount"
      action={
        <Segmented<AmountUnit>
          label="Unit of the amount"
          size="compact"
          options={unitNames(pair)}
          value={unit}
          onChange={switchUnit}
        />
      }
      field={amountField}
      text={amount}
      grid={getAmountGrid(unit, conversion())}
      onType={(text) => dispatch({ type: 'typed', field: 'amount', text })}
      onStep={(steps) => set(stepAmountText(parseAmount(amount), unit, steps, conversion()))}
      unit={
        <>
          {amountNames[unit] ?? pair.baseAsset}
          <span id={convertedId}>{converted === null ? '' : ` ${converted}`}</span>
        </>
      }
      placeholder={unit === 'base' ? formatFixed(0n, sizeDecimals(pair.limits)) : '0'}
      required
      invalid={field === 'amount' || field === 'margin'}
      describedBy={`${convertedId} ${ruleId}`}
      size="large"
    >
      <ShareButtons
        legend={unit === 'risk' ? 'Share of the account balance at risk' : 'Share of the account balance'}
        shares={unit === 'risk' ? riskShares : shares}
        onTake={takeShare}
        wholeTitle={wholeShareTitle}
      />
    </DecimalField>
  );
}

/** The result of the settled take profit or stop loss at the price on screen. */
function useOutcome(ticket: Ticket, field: ProtectionField): ShownOutcome | null {
  const read = () => shownOutcome(getOutcomes(ticket.factsOf(ticket.state.settled))[field]);
  const pnl = useTicketValue(ticket, () => read()?.pnl ?? null);
  const roe = useTicketValue(ticket, () => read()?.roe ?? null);
  return pnl === null || roe === null ? null : { pnl, roe };
}

/** The prices that the settled distance means for each side, at the price on screen. */
function useShownPrices(ticket: Ticket, field: ProtectionField): ShownPrices {
  const read = (side: Side) => {
    const { protection, protectionUnit } = ticket.factsOf(ticket.state.settled);
    const price = protectionUnit === 'price' ? null : getTypedPrice(protection[side][field]);
    return price === null ? null : toNumber(price);
  };
  return { BUY: useTicketValue(ticket, () => read('BUY')), SELL: useTicketValue(ticket, () => read('SELL')) };
}

/** Optional take profit and stop loss, each with its result (A21). */
function Protection({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch } = ticket;
  const { protects, typed } = state;
  const failed = useFailedField(ticket);
  const reference = () => ticket.factsOf(typed).terms.price;
  const takeProfit = useOutcome(ticket, 'takeProfit');
  const stopLoss = useOutcome(ticket, 'stopLoss');
  const prices = {
    takeProfit: useShownPrices(ticket, 'takeProfit'),
    stopLoss: useShownPrices(ticket, 'stopLoss'),
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="relative">
        <Switch
          label="Take Profit / Stop Loss"
          checked={protects}
          onChange={(next) => dispatch({ type: 'protects', protects: next })}
        />
        {protects ? (
          <ProtectionUnitSelect
            unit={typed.protectionUnit}
            onUnit={ticket.switchProtectionUnit}
            className="absolute top-0 right-10 max-lg:top-1"
          />
        ) : null}
      </div>
      {protects ? (
        <ProtectionFields
          limits={pair.limits}
          tickSize={pair.tickSize}
          unit={typed.protectionUnit}
          prices={prices}
          texts={typed}
          onType={(field, text) => dispatch({ type: 'typed', field, text })}
          onSet={(field, text) => dispatch({ type: 'set', field, text })}
          reference={reference}
          outcomes={{ takeProfit, stopLoss }}
          invalid={failed === 'takeProfit' || failed === 'stopLoss' ? failed : null}
          describedBy={ruleId}
        />
      ) : null}
    </div>
  );
}

/** The leverage slider with its steppers (TRADE-36). */
function Leverage({ ticket }: PartProps) {
  const { state, dispatch, previews, setPreviews, leverageMax } = ticket;
  const set = (leverage: number) => dispatch({ type: 'leverage', leverage });
  const stepper = 'grid w-8 place-items-center text-text-2 hover:text-text max-lg:w-11';
  return (
    <fieldset
      className="relative flex min-w-0 flex-col gap-1"
      onFocus={() => setPreviews(true)}
      onBlur={() => setPreviews(false)}
      onPointerEnter={() => setPreviews(true)}
      onPointerLeave={({ currentTarget }) => setPreviews(currentTarget.contains(document.activeElement))}
    >
      <div className="flex items-center justify-between">
        <span className="text-12 text-text-2">Leverage</span>
        <div className="flex h-[30px] items-stretch rounded-control border border-line-strong max-lg:h-11">
          <button
            type="button"
            aria-label="Less leverage"
            className={stepper}
            onClick={() => set(state.leverage - 1)}
          >
            <Minus size={14} aria-hidden="true" />
          </button>
          <output className="figures grid min-w-10 place-items-center text-13 font-semibold">
            {formatLeverage(state.leverage)}
          </output>
          <button
            type="button"
            aria-label="More leverage"
            className={stepper}
            onClick={() => set(state.leverage + 1)}
          >
            <Plus size={14} aria-hidden="true" />
          </button>
        </div>
      </div>
      <Slider
        label="Leverage"
        min={MIN_LEVERAGE}
        max={leverageMax}
        step={1}
        value={state.leverage}
        onChange={set}
        stops={leverageStops(leverageMax)}
        format={formatLeverage}
      />
      {previews && state.leverage > 1 ? <LiquidationPreview ticket={ticket} /> : null}
    </fieldset>
  );
}

/** The form still fits a screen of 900 px with its own price and protection fields. */
export const shortScreenStyles = 'lg:[@media(max-height:1000px)]:gap-2';

interface TicketFieldsProps extends FieldProps {
  /** Where the current price is shown: among the fields, or above them already. */
  readonly priced?: 'here' | 'above';
}

export function TicketFields({ ticket, ruleId, priced = 'here' }: TicketFieldsProps) {
  const { pair, state, dispatch, chooseType, reset, isNet, offeredTypes } = ticket;
  const isLongest = state.type !== 'MARKET' && state.protects;
  const balance = (
    <dl>
      <Line label="Account Balance">
        <Balance ticket={ticket} />
      </Line>
    </dl>
  );
  return (
    <div className={`flex flex-col gap-3 ${isLongest ? shortScreenStyles : ''}`}>
      {priced === 'here' ? balance : null}
      <div className="flex items-center gap-1">
        <Segmented<BasicOrderType>
          label="Order type"
          options={offeredTypes.map((value) => ({ value, label: orderTypeNames[value] }))}
          value={state.type}
          onChange={chooseType}
        />
        <IconButton label="Reset the order form" onClick={reset}>
          <RotateCcw size={15} aria-hidden="true" />
        </IconButton>
      </div>
      {priced === 'here' ? (
        <dl>
          <Line label={<CurrentPriceLabel pair={pair} />}>
            <CurrentPrice ticket={ticket} />
          </Line>
        </dl>
      ) : (
        balance
      )}
      <FailedFetch ticket={ticket} />
      {state.type === 'MARKET' ? null : <PriceField ticket={ticket} ruleId={ruleId} />}
      <AmountField ticket={ticket} ruleId={ruleId} />
      <Leverage ticket={ticket} />
      <Protection ticket={ticket} ruleId={ruleId} />
      {isNet ? (
        <NetOrder
          pair={pair}
          isMarket={state.type === 'MARKET'}
          {...ticket.settledOrder()}
          leverage={state.leverage}
          terms={state.netTerms}
          onTerms={(netTerms) => dispatch({ type: 'netTerms', netTerms })}
          onLeverage={(leverage) => dispatch({ type: 'leverage', leverage })}
          onPrice={ticket.takeLimitPrice}
          waiting={<Skeleton className="h-24" />}
        />
      ) : null}
    </div>
  );
}
