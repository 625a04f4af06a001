/** What a trader enters: the kind of order, its price, amount, leverage, take profit and stop loss. */
import { texts } from '@fulcrum/contract/texts';
import {
  formatFixed,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  type OrderType,
  orderTypes,
  parseDecimal,
  priceDecimals,
  requiredMargin,
  type Size,
  sizeDecimals,
} from '@fulcrum/domain';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useCallback } from 'react';
import { Amount } from '../../../shared/numbers/index.ts';
import { Button, Segmented, Skeleton, Slider, Spinner, Switch } from '../../../shared/ui/index.ts';
import { formatAge, LastPriceFigure, LiveText, PriceStateMark, usePriceStream } from '../../market/index.ts';
import { affordableAmount, readAmount, stepAmount } from './amount.ts';
import { DecimalField } from './DecimalField.tsx';
import {
  type ProtectionField,
  ProtectionFields,
  type ShownOutcome,
  shownOutcome,
} from './ProtectionFields.tsx';
import { readPrice, stepPrice } from './price-field.ts';
import { meantSide, outcomeAt } from './protection.ts';
import { ShareButtons } from './ShareButtons.tsx';
import { priceOf } from './summary.ts';
import { orderTypeNames, type Ticket, useFailedField, useShown } from './useTicket.ts';
import { priceIn } from './validators.ts';

const shares = [10, 25, 50, 75, 100] as const;
const wholeShareTitle = 'All of the balance, less 0.1 % in case the price moves';
const leverageStops = [1, 25, 50, 75, 100, 125] as const;
const formatLeverage = (leverage: number) => `${leverage}×`;

interface PartProps {
  readonly ticket: Ticket;
}
interface FieldProps extends PartProps {
  /** Of the line that says what is wrong. */
  readonly ruleId: string;
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-3">
      <dt className="text-12 whitespace-nowrap text-text-2">{label}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </div>
  );
}

/** TRADE-29: what may be used for margin. */
function Balance({ ticket: { balance, walletFailed } }: PartProps) {
  if (walletFailed) return <span className="text-12 text-down">{texts.fetchWalletFailed}</span>;
  if (balance === undefined) return <Skeleton className="h-3.5 w-24" />;
  return <Amount value={balance} unit="USDT" className="text-14 font-semibold" />;
}

/** Why the price beside it is not one to trade on. */
function PriceWord({ ticket: { pair, priceStatus } }: PartProps) {
  const stream = usePriceStream();
  const { symbol } = pair;
  const readAge = useCallback(() => `${formatAge(stream.ageMs(symbol))} old`, [stream, symbol]);
  if (priceStatus === 'stale') return <LiveText read={readAge} className="mr-2 text-11 text-warn" />;
  return <PriceStateMark market={pair} className="mr-2" />;
}

/** TRADE-30 to TRADE-32. */
function CurrentPrice({ ticket }: PartProps) {
  const { pair, priceStatus, fetched } = ticket;
  switch (priceStatus) {
    case 'loading':
      return <Spinner size={16} label="Loading the price" />;
    case 'failed':
      return <span className="text-12 text-down">{texts.fetchPriceFailed}</span>;
    case 'missing':
      // The failure stands beneath.
      return fetched.failed ? null : <span className="text-16 font-semibold text-text-3">---</span>;
    default:
      return (
        <>
          <PriceWord ticket={ticket} />
          <LastPriceFigure pair={pair} className="text-16 font-semibold" />
        </>
      );
  }
}

/** ERR-28, A37: the fetch of a polled price failed; the last one stays above. */
function FailedFetch({ ticket: { fetched } }: PartProps) {
  if (!fetched.failed) return null;
  return (
    <p role="alert" className="flex items-center justify-between gap-3 text-12 text-down">
      {texts.fetchPriceFailed}
      <Button size="compact" onClick={fetched.retry} pending={fetched.asking}>
        Retry
      </Button>
    </p>
  );
}

/** A20: of a Limit or Stop order. */
function PriceField({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch } = ticket;
  const { limits } = pair;
  const stream = usePriceStream();
  const field = useFailedField(ticket);
  const step = (ticks: bigint) => {
    const typed = readPrice(state.typed.price);
    const from = typed.kind === 'price' ? typed.price : priceOf(stream.latest(pair.symbol)?.price);
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

function AmountField({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch, available, feeRate } = ticket;
  const { limits } = pair;
  const field = useFailedField(ticket);
  const decimals = sizeDecimals(limits);
  const set = (size: Size) => dispatch({ type: 'set', field: 'amount', text: formatFixed(size, decimals) });
  const typed = readAmount(state.typed.amount);
  const step = (steps: bigint) =>
    set(typed.kind === 'amount' ? stepAmount(typed.size, steps, limits) : limits.minQty);
  const takeShare = (sharePercent: number) => {
    const { price } = ticket.factsOf(state.typed).terms;
    if (price === null || available === null) return;
    const { leverage } = state;
    const size = affordableAmount({ available, price, leverage, sharePercent, feeRate, limits });
    // Below the smallest amount the form says what even that would cost.
    set(size ?? limits.minQty);
  };
  return (
    <DecimalField
      label="Amount"
      text={state.typed.amount}
      grid={{ min: limits.minQty, max: limits.maxQty, step: limits.stepSize }}
      onType={(text) => dispatch({ type: 'typed', field: 'amount', text })}
      onStep={step}
      unit={pair.baseAsset}
      placeholder={formatFixed(0n, decimals)}
      required
      invalid={field === 'amount' || field === 'margin'}
      describedBy={ruleId}
      size="large"
    >
      <ShareButtons
        legend="Share of the account balance"
        shares={shares}
        onTake={takeShare}
        wholeTitle={wholeShareTitle}
      />
    </DecimalField>
  );
}

/** What the settled take profit or stop loss would book at the price on screen. */
function useOutcome(ticket: Ticket, field: ProtectionField): ShownOutcome | null {
  const read = () => {
    const { terms, protection } = ticket.factsOf(ticket.state.settled);
    const { price: entryPrice, size, leverage, rules } = terms;
    if (entryPrice === null || size === null) return null;
    const prices = {
      takeProfitPrice: priceIn(protection.takeProfit),
      stopLossPrice: priceIn(protection.stopLoss),
    };
    const side = meantSide(entryPrice, prices);
    const margin = requiredMargin(entryPrice, size, leverage);
    const exit = priceIn(protection[field]);
    return shownOutcome(outcomeAt(rules, { side, entryPrice, size, leverage, margin }, exit));
  };
  const pnl = useShown(ticket, () => read()?.pnl ?? null);
  const roe = useShown(ticket, () => read()?.roe ?? null);
  return pnl === null || roe === null ? null : { pnl, roe };
}

/** A21: optional, with what each would book. */
function Protection({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch } = ticket;
  const { protects, typed } = state;
  const failed = useFailedField(ticket);
  const reference = () => ticket.factsOf(typed).terms.price;
  const takeProfit = useOutcome(ticket, 'takeProfit');
  const stopLoss = useOutcome(ticket, 'stopLoss');
  return (
    <div className="flex flex-col gap-1.5">
      <Switch
        label="Take Profit / Stop Loss"
        checked={protects}
        onChange={(next) => dispatch({ type: 'protects', protects: next })}
        note={protects ? 'PnL, ROE' : null}
      />
      {protects ? (
        <ProtectionFields
          limits={pair.limits}
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

/** TRADE-36. */
function Leverage({ ticket: { state, dispatch } }: PartProps) {
  const set = (leverage: number) => dispatch({ type: 'leverage', leverage });
  const stepper = 'grid w-8 place-items-center text-text-2 hover:text-text max-lg:w-11';
  return (
    <div className="flex flex-col gap-1">
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
        max={MAX_LEVERAGE}
        step={1}
        value={state.leverage}
        onChange={set}
        stops={leverageStops}
        format={formatLeverage}
      />
    </div>
  );
}

const orderTypeOptions = orderTypes.map((value) => ({ value, label: orderTypeNames[value] }));

export function TicketFields({ ticket, ruleId }: FieldProps) {
  const { pair, state, dispatch } = ticket;
  const stream = usePriceStream();
  const chooseType = (orderType: OrderType) => {
    const last = stream.latest(pair.symbol)?.price;
    const price = last === undefined ? '' : formatFixed(parseDecimal(last), priceDecimals(pair.limits));
    dispatch({ type: 'orderType', orderType, price });
  };
  return (
    <div className="flex flex-col gap-3">
      <dl>
        <Line label="Account Balance">
          <Balance ticket={ticket} />
        </Line>
      </dl>
      <Segmented<OrderType>
        label="Order type"
        options={orderTypeOptions}
        value={state.type}
        onChange={chooseType}
      />
      <dl>
        <Line label="Current price">
          <CurrentPrice ticket={ticket} />
        </Line>
      </dl>
      <FailedFetch ticket={ticket} />
      {state.type === 'MARKET' ? null : <PriceField ticket={ticket} ruleId={ruleId} />}
      <AmountField ticket={ticket} ruleId={ruleId} />
      <Leverage ticket={ticket} />
      <Protection ticket={ticket} ruleId={ruleId} />
    </div>
  );
}
