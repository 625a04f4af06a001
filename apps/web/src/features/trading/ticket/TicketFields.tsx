/** What a trader enters: balance and price to go by, amount, leverage. */
import { texts } from '@fulcrum/contract/texts';
import { formatFixed, MAX_LEVERAGE, MIN_LEVERAGE, sizeDecimals, toDecimalString } from '@fulcrum/domain';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type KeyboardEvent, type ReactNode, useCallback, useId } from 'react';
import { Amount } from '../../../shared/numbers/index.ts';
import { Skeleton, Slider, Spinner } from '../../../shared/ui/index.ts';
import { formatAge, LastPriceFigure, LiveText, usePriceStream } from '../../market/index.ts';
import { affordableAmount, readAmount, stepAmount } from './amount.ts';
import { priceOf } from './summary.ts';
import { type Ticket, useFailedField } from './useTicket.ts';

const shares = [10, 25, 50, 75, 100] as const;
const wholeShareTitle = 'All of the balance, less 0.1 % in case the price moves';
const leverageStops = [1, 25, 50, 75, 100, 125] as const;
const stepsByKey: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n };
const formatLeverage = (leverage: number) => `${leverage}×`;

interface PartProps {
  readonly ticket: Ticket;
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

function PriceAge({ symbol }: { readonly symbol: string }) {
  const stream = usePriceStream();
  const read = useCallback(() => `${formatAge(stream.ageMs(symbol))} old`, [stream, symbol]);
  return <LiveText read={read} className="mr-2 text-11 text-warn" />;
}

/** TRADE-30 to TRADE-32. */
function CurrentPrice({ ticket: { pair, priceStatus } }: PartProps) {
  switch (priceStatus) {
    case 'loading':
      return <Spinner size={16} label="Loading the price" />;
    case 'failed':
      return <span className="text-12 text-down">{texts.fetchPriceFailed}</span>;
    case 'missing':
      return <span className="text-16 font-semibold text-text-3">---</span>;
    default:
      return (
        <>
          {priceStatus === 'stale' ? <PriceAge symbol={pair.symbol} /> : null}
          <LastPriceFigure pair={pair} className="text-16 font-semibold" />
        </>
      );
  }
}

function AmountField({ ticket, ruleId }: PartProps & { readonly ruleId: string }) {
  const { pair, state, dispatch, available } = ticket;
  const { limits } = pair;
  const stream = usePriceStream();
  const id = useId();
  const failedField = useFailedField(ticket);
  const isInvalid = failedField !== null && failedField !== 'none';
  const decimals = sizeDecimals(limits);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = stepsByKey[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const typed = readAmount(state.amountText);
    if (typed.kind === 'unreadable') return;
    const from = typed.kind === 'amount' ? typed.size : limits.minQty;
    const steps = event.shiftKey ? direction * 10n : direction;
    const next = typed.kind === 'amount' ? stepAmount(from, steps, limits) : limits.minQty;
    dispatch({ type: 'amount', text: formatFixed(next, decimals) });
  };
  const takeShare = (sharePercent: number) => {
    const price = priceOf(stream.latest(pair.symbol)?.price);
    if (price === null || available === null) return;
    const size = affordableAmount({ available, price, leverage: state.leverage, sharePercent, limits });
    // Below the smallest amount the form says what even that would cost.
    dispatch({ type: 'amount', text: formatFixed(size ?? limits.minQty, decimals) });
  };
  const typed = readAmount(state.amountText);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-12 text-text-2">
        Amount
      </label>
      <div className="control flex h-[38px] items-center gap-2 px-3 max-lg:h-12">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          role="spinbutton"
          autoComplete="off"
          spellCheck={false}
          required
          min={toDecimalString(limits.minQty)}
          max={toDecimalString(limits.maxQty)}
          step={toDecimalString(limits.stepSize)}
          aria-valuemin={pair.minQty}
          aria-valuemax={pair.maxQty}
          aria-valuenow={typed.kind === 'amount' ? Number(toDecimalString(typed.size)) : undefined}
          aria-valuetext={state.amountText || 'empty'}
          aria-invalid={isInvalid || undefined}
          aria-describedby={ruleId}
          placeholder={formatFixed(0n, decimals)}
          value={state.amountText}
          onChange={(event) => dispatch({ type: 'typed', text: event.target.value })}
          onKeyDown={onKeyDown}
          className="figures h-full min-w-0 grow bg-transparent text-16 font-semibold outline-none placeholder:font-normal max-md:text-20"
        />
        <span className="text-12 text-text-3">{pair.baseAsset}</span>
      </div>
      <fieldset className="flex gap-1.5">
        <legend className="sr-only">Share of the account balance</legend>
        {shares.map((share) => (
          <button
            key={share}
            type="button"
            onClick={() => takeShare(share)}
            title={share === 100 ? wholeShareTitle : undefined}
            className="figures h-6 flex-1 rounded-[4px] bg-line/70 text-12 text-text-2 transition-colors hover:bg-line-strong hover:text-text active:bg-line max-lg:h-10"
          >
            {share}%
          </button>
        ))}
      </fieldset>
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

export function TicketFields({ ticket, ruleId }: PartProps & { readonly ruleId: string }) {
  return (
    <div className="flex flex-col gap-3.5">
      <dl className="flex flex-col gap-2">
        <Line label="Account Balance">
          <Balance ticket={ticket} />
        </Line>
        <Line label="Current price">
          <CurrentPrice ticket={ticket} />
        </Line>
      </dl>
      <AmountField ticket={ticket} ruleId={ruleId} />
      <Leverage ticket={ticket} />
    </div>
  );
}
