/**
 * What an order of an account with net positions has beside the other fields (A113, A114): how long it waits, whether it may only
 * reduce, what it would cost on the present book, and the position that it meets.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  asFeeRate,
  asMoney,
  fillTerms,
  type MarketType,
  type Price,
  parseDecimal,
  type QuotedProfile,
  quotedProfiles,
  type Side,
  type Size,
  sides,
  type TimeInForce,
  timesInForce,
  toNumber,
  toNumberOrNull,
} from '@fulcrum/domain';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { sideLabel, toTerms, useOpenPositions } from '../../shared/account/index.ts';
import { feePercent } from '../../shared/explained/explanation.ts';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { formatAmount, formatPrice, formatSize, noFigure } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { LiveText } from '../../shared/time/LiveText.tsx';
import { Button, Checkbox, Segmented, showToast, useMediaQuery } from '../../shared/ui/index.ts';
import { type Pair, useFreshness } from '../market/index.ts';
import { bookSourceNames, type ShownBook, useOrderBook } from './book-query.ts';
import { ConditionalOrder } from './ConditionalOrder.tsx';
import { MarginDialog } from './MarginDialog.tsx';
import { type NetTerms, waitNames } from './net-terms.ts';
import OrderBook from './OrderBook.tsx';
import { costOfOrder, type OrderCost, positionAfter, tradableSize } from './order-cost.ts';
import { heldCostText, timeCostTexts, timeLeftText } from './time-costs.ts';

const waitOptions = timesInForce
  // The form of a conditional order has a time to end.
  .filter((value) => value !== 'GTD')
  .map((value) => ({ value, label: waitNames[value] }));

const waitTexts = {
  GTC: 'What does not fill at once waits until it is canceled.',
  IOC: 'What does not fill at once expires.',
  FOK: 'Fills whole at once, or not at all.',
  GTX: 'Waits and never takes: refused if it would fill at once.',
  GTD: 'Waits until a time, and expires then.',
} as const satisfies Record<TimeInForce, string>;

interface NetOrderProps {
  readonly pair: Pair;
  /** The price of a limit order; null for a market order. */
  readonly limit: Price | null;
  readonly isMarket: boolean;
  readonly size: Size | null;
  readonly leverage: number;
  readonly terms: NetTerms;
  readonly onTerms: (terms: NetTerms) => void;
  readonly onLeverage: (leverage: number) => void;
  /** Gets the price of a level as the text of the field. */
  readonly onPrice: (text: string) => void;
}

const usdt = (amount: bigint): string => formatAmount(toNumber(amount));

interface CostProps
  extends Pick<NetOrderProps, 'pair' | 'limit' | 'isMarket' | 'size' | 'leverage' | 'terms'> {
  readonly position: Position | undefined;
  readonly book: ShownBook;
  readonly profile: QuotedProfile;
}

const rows = [
  ['Spread', ({ spread }: OrderCost) => spread],
  ['Depth', ({ impact }: OrderCost) => impact],
  ['Fee', ({ fee }: OrderCost) => fee],
  ['Cost in all', ({ total }: OrderCost) => total],
] as const;

/** Why nothing of the order fills on the present book. */
function nothingText(isMarket: boolean, { timeInForce, reduceOnly }: NetTerms, makerFee: string): string {
  if (reduceOnly && isMarket) return 'There is no position that the order could reduce.';
  if (isMarket) return 'The book is empty now.';
  if (timeInForce === 'IOC' || timeInForce === 'FOK') return 'Nothing would fill at this price now.';
  return `What waits fills as a maker, at a fee of ${makerFee}.`;
}

/** The trading page has a panel for the order book on a larger screen. */
const withoutPanel = '(width < 1280px), (height < 500px)';

/** The order book for a screen without a panel for it: the best prices, and all of it on demand. */
function BookInForm({
  book,
  pair,
  onPrice,
}: Pick<NetOrderProps, 'pair' | 'onPrice'> & Pick<CostProps, 'book'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      {isOpen ? <OrderBook pair={pair} onPrice={onPrice} isInForm /> : <Best book={book} pair={pair} />}
      <Button size="compact" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide order book' : 'Show order book'}
      </Button>
    </div>
  );
}

function Best({ book, pair }: Pick<CostProps, 'book' | 'pair'>) {
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (!bid || !ask) return null;
  return (
    <p className="figures flex justify-between text-12">
      <span className="text-up">{`Bid ${formatPrice(toNumber(bid.price), pair.tickSize)}`}</span>
      <span className="text-text-3">{bookSourceNames[book.source][0]}</span>
      <span className="text-down">{`Ask ${formatPrice(toNumber(ask.price), pair.tickSize)}`}</span>
    </p>
  );
}

/** A row of before its exact value was stored has none. */
const toEntryValue = ({ entryValue, entryPrice, size }: Position) =>
  asMoney(parseDecimal(entryValue ?? entryPrice * size));

/** A figure of each side. */
function CostRow({ label, read }: { readonly label: string; readonly read: (side: Side) => string }) {
  return (
    <tr>
      <th scope="row" className="py-0.5 text-left text-12 font-normal text-text-2">
        {label}
      </th>
      {sides.map((side) => (
        <td key={side} className="figures text-right text-12 font-medium">
          {read(side)}
        </td>
      ))}
    </tr>
  );
}

/** The order on the book of this second, for either side. */
function Cost({ book, pair, size, limit, isMarket, profile, leverage, position, terms }: CostProps) {
  const { makerFee, takerFee, title, latencyMs } = fillTerms[profile];
  const { timeInForce } = terms;
  if (size === null || (!isMarket && limit === null)) {
    const missing = size === null ? 'an amount' : 'a limit price';
    return <p className="text-12 text-text-3">{`Enter ${missing} to see what the order costs.`}</p>;
  }
  const before = position ? { ...toTerms(position), entryValue: toEntryValue(position) } : null;
  const sizeOf = (side: Side): Size => tradableSize(size, side, terms.reduceOnly, before);
  const costOf = (side: Side): OrderCost | null => {
    const cost = costOfOrder(book, side, sizeOf(side), {
      limit: isMarket ? null : limit,
      takerFee: asFeeRate(takerFee),
    });
    if (isMarket || cost === null) return cost;
    // Refused as a whole.
    const isRefused = timeInForce === 'GTX' || (timeInForce === 'FOK' && cost.filled < size);
    return isRefused ? null : cost;
  };
  const costs = { BUY: costOf('BUY'), SELL: costOf('SELL') };
  const market = {
    leverage: position?.leverage ?? leverage,
    market: pair.type,
    tickSize: pair.limits.tickSize,
  };
  if (sides.every((side) => costs[side] === null)) {
    return <p className="text-12 text-text-2">{nothingText(isMarket, terms, feePercent(makerFee))}</p>;
  }
  const afterOf = (side: Side) => {
    const cost = costs[side];
    return cost && positionAfter(before, side, cost, market);
  };
  const after = { BUY: afterOf('BUY'), SELL: afterOf('SELL') };
  const rest = (side: Side) => {
    const cost = costs[side];
    return cost === null ? 0n : sizeOf(side) - cost.filled;
  };
  const waits = !isMarket && timeInForce === 'GTC';
  const restText = waits
    ? `What is left waits and fills as a maker, at a fee of ${feePercent(makerFee)}.`
    : 'The book holds less within this price: what is left expires.';
  return (
    <div className="flex flex-col gap-1">
      <table aria-label="Cost of the order on the present book" className="w-full border-collapse">
        <thead>
          <tr className="text-11 text-text-3">
            <th scope="col" className="py-0.5 text-left font-normal">{`${title} fills, USDT`}</th>
            <th scope="col" className="text-right font-normal">
              Buy
            </th>
            <th scope="col" className="text-right font-normal">
              Sell
            </th>
          </tr>
        </thead>
        <tbody>
          <CostRow
            label="Average price"
            read={(side) => formatPrice(toNumberOrNull(costs[side]?.price), pair.tickSize)}
          />
          {rows.map(([label, read]) => (
            <CostRow
              key={label}
              label={label}
              read={(side) => (costs[side] ? usdt(read(costs[side])) : noFigure)}
            />
          ))}
          <CostRow
            label="Margin to open"
            read={(side) => (after[side] ? usdt(after[side].margin) : noFigure)}
          />
          <CostRow
            label="Liquidation then"
            read={(side) => formatPrice(toNumberOrNull(after[side]?.liquidation), pair.tickSize)}
          />
        </tbody>
      </table>
      {sides.some((side) => rest(side) > 0n) ? <p className="text-11 text-text-2">{restText}</p> : null}
      {latencyMs > 0 ? (
        <p className="text-11 text-text-2">{`It fills ${latencyMs} ms after it was sent, on the book of then.`}</p>
      ) : null}
    </div>
  );
}

interface PositionLineProps extends Pick<NetOrderProps, 'pair' | 'leverage' | 'onLeverage'> {
  readonly position: Position;
  /** Null while there is no book. */
  readonly mark: number | null;
}

/** The position that the next order meets, with its margin; and its leverage, where the form has another one. */
function PositionLine({ position, pair, leverage, onLeverage, mark }: PositionLineProps) {
  const { supabase } = useSignedIn();
  const { run, pending, error } = useRequest();
  const [isAdjusting, setAdjusting] = useState(false);
  const raise = async () => {
    const isDone = await run(async () => {
      await unwrap(supabase.rest.rpc('set_leverage', { p_symbol: pair.symbol, p_leverage: leverage }));
      return null;
    }, failedWith('Failed to change the leverage'));
    if (isDone) showToast('success', `${pair.symbol} has ${leverage}× now`);
  };
  return (
    <div className="flex flex-col gap-1.5 rounded-control border border-line p-2">
      <p className="figures text-12 leading-4 text-text-2">
        {`Net position: ${sideLabel(position.side).toLowerCase()} ${formatSize(position.size, pair.stepSize)} ${pair.baseAsset} at ${formatPrice(position.entryPrice, pair.tickSize)}, ${position.leverage}×, margin ${formatAmount(position.margin)} USDT, liquidation at ${formatPrice(position.liquidationPrice, pair.tickSize)}.`}
      </p>
      {mark === null ? null : (
        <p className="figures text-12 text-text-2">{heldCostText(position, pair.type, mark, Date.now())}</p>
      )}
      {leverage === position.leverage ? null : (
        <p className="text-12 text-warn">{`Orders of ${pair.symbol} have its ${position.leverage}×.`}</p>
      )}
      {error === null ? null : (
        <p role="alert" className="text-12 text-down">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="compact" onClick={() => setAdjusting(true)}>
          Adjust margin
        </Button>
        {leverage === position.leverage ? null : (
          <Button size="compact" onClick={() => onLeverage(position.leverage)}>
            {`Use ${position.leverage}×`}
          </Button>
        )}
        {leverage > position.leverage ? (
          <Button size="compact" onClick={raise} pending={pending}>
            {`Raise it to ${leverage}×`}
          </Button>
        ) : null}
      </div>
      {isAdjusting ? <MarginDialog position={position} onClose={() => setAdjusting(false)} /> : null}
    </div>
  );
}

/** The time that is left counts down by itself. */
function TimeCost({ market }: { readonly market: MarketType }) {
  const read = useCallback(() => timeLeftText(market, Date.now()), [market]);
  const [before, after] = timeCostTexts(market, Date.now());
  return (
    <p className="figures text-11 text-text-2">
      {before}
      <LiveText read={read} />
      {after}
    </p>
  );
}

export default function NetOrder({ terms, onTerms, onPrice, ...order }: NetOrderProps) {
  const { pair, isMarket } = order;
  const { account } = useSignedIn();
  const { data: book, isError } = useOrderBook(pair.symbol);
  const isWithoutPanel = useMediaQuery(withoutPanel);
  const { data: positions } = useOpenPositions();
  const position = positions?.find(({ symbol }) => symbol === pair.symbol);
  const profile = quotedProfiles.find((name) => name === account?.fillProfile);
  const [isConditional, setConditional] = useState(false);
  const isClosed = useFreshness(pair) === 'closed';
  // The form begins with the leverage that an order of the position would have.
  const takeLeverage = useEffectEvent(() => {
    if (position && position.leverage !== order.leverage) order.onLeverage(position.leverage);
  });
  const positionId = position?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each position
  useEffect(() => takeLeverage(), [positionId]);
  return (
    <div className="flex flex-col gap-2.5">
      {isMarket ? null : (
        <div className="flex flex-col gap-1">
          <Segmented<TimeInForce>
            label="Time in force"
            size="compact"
            options={waitOptions}
            value={terms.timeInForce}
            onChange={(timeInForce) => onTerms({ ...terms, timeInForce })}
          />
          <p className="text-11 text-text-2">{waitTexts[terms.timeInForce]}</p>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Checkbox checked={terms.reduceOnly} onChange={(reduceOnly) => onTerms({ ...terms, reduceOnly })}>
          Reduce only
        </Checkbox>
        <Button size="compact" onClick={() => setConditional(true)}>
          Conditional order…
        </Button>
      </div>
      {isConditional ? (
        <ConditionalOrder
          pair={pair}
          leverage={order.leverage}
          position={position}
          price={book ? toNumber(book.mid) : null}
          onClose={() => setConditional(false)}
        />
      ) : null}
      {isWithoutPanel && book && !isError ? <BookInForm book={book} pair={pair} onPrice={onPrice} /> : null}
      {book && !isError && profile ? (
        <Cost {...order} terms={terms} book={book} profile={profile} position={position} />
      ) : null}
      {isError || isClosed ? (
        <p className="text-12 text-warn">{isClosed ? texts.marketClosed : 'There is no order book now.'}</p>
      ) : null}
      {position ? (
        <PositionLine {...order} position={position} mark={book && !isError ? toNumber(book.mid) : null} />
      ) : null}
      <TimeCost market={pair.type} />
    </div>
  );
}
