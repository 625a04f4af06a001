/**
 * Bids and asks as this account meets them, without what it has just used up, and the market's last trades (A114). A click on a level
 * takes its price as that of a limit order; the keyboard has the field of that price. Levels can be joined to coarser prices, and a dot
 * marks where the account's own limit orders wait.
 */
import {
  asPrice,
  decimalsOf,
  formatFixed,
  type Price,
  parseDecimal,
  priceDecimals,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import { useState } from 'react';
import { useOpenOrders } from '../../shared/account/index.ts';
import { formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { Badge, Segmented, Skeleton } from '../../shared/ui/index.ts';
import type { Pair } from '../market/index.ts';
import { bookColumns } from './book-columns.ts';
import { type BookRow, bookRows, groupSteps } from './book-levels.ts';
import { bookSourceNames, type ShownBook, useOrderBook } from './book-query.ts';
import { Trades } from './Trades.tsx';

interface OrderBookProps {
  readonly pair: Pair;
  /** Gets the price of a level as the text of the field. */
  readonly onPrice: (text: string) => void;
  /** Within the order form, on a screen without the width for a panel of its own. */
  readonly isInForm?: boolean;
}

interface LevelsProps extends Pick<OrderBookProps, 'pair' | 'onPrice'> {
  readonly book: ShownBook;
}

interface LevelRowProps extends Omit<LevelsProps, 'book'> {
  readonly row: BookRow;
  readonly tone: 'up' | 'down';
  readonly deepest: bigint;
}

function LevelRow({ row, tone, deepest, pair, onPrice }: LevelRowProps) {
  const share = Number((row.sum * 1_000n) / (deepest === 0n ? 1n : deepest)) / 10;
  const bar = tone === 'up' ? 'var(--up-weak)' : 'var(--down-weak)';
  return (
    // A level without room wraps out of sight, whole.
    <li className="w-full shrink-0">
      <button
        type="button"
        tabIndex={-1}
        title={row.isOwn ? 'Your limit order waits here. Use as limit price' : 'Use as limit price'}
        onClick={() => onPrice(formatFixed(row.price, priceDecimals(pair.limits)))}
        style={{ background: `linear-gradient(to left, ${bar} ${share}%, transparent ${share}%)` }}
        className={`figures h-5 w-full text-11 hover:brightness-125 ${bookColumns}`}
      >
        <span className={`relative text-left font-medium ${tone === 'up' ? 'text-up' : 'text-down'}`}>
          {row.isOwn ? (
            <span className="absolute inset-y-0 -left-2 my-auto size-1.5 rounded-full bg-accent">
              <span className="sr-only">Your order, </span>
            </span>
          ) : null}
          {formatPrice(toNumber(row.price), pair.tickSize)}
        </span>
        <span className="text-right">{formatSize(toNumber(row.size), pair.stepSize)}</span>
        <span className="text-right text-text-2">{formatSize(toNumber(row.sum), pair.stepSize)}</span>
      </button>
    </li>
  );
}

/** The prices of the account's limit orders that wait in the book. */
function useOwnPrices(symbol: string): (side: Side) => readonly Price[] {
  const { data: orders = [] } = useOpenOrders();
  return (side) =>
    orders.flatMap((order) =>
      order.symbol === symbol && order.side === side && order.type === 'LIMIT' && order.price !== null
        ? [asPrice(parseDecimal(order.price))]
        : [],
    );
}

function Levels({ book, pair, onPrice }: LevelsProps) {
  const steps = groupSteps(book.mid, pair.limits.tickSize);
  const [chosen, setChosen] = useState<Price | null>(null);
  const step = steps.find((one) => one === chosen) ?? pair.limits.tickSize;
  const ownPrices = useOwnPrices(pair.symbol);
  const bids = bookRows(book.bids, { side: 'BUY', step, own: ownPrices('BUY') });
  const asks = bookRows(book.asks, { side: 'SELL', step, own: ownPrices('SELL') });
  const deepest = [bids.at(-1)?.sum ?? 0n, asks.at(-1)?.sum ?? 0n].reduce((a, b) => (a > b ? a : b));
  // Of the levels themselves, however they are joined.
  const [bid, ask] = [book.bids[0], book.asks[0]];
  const spread = bid && ask ? toNumber(ask.price) - toNumber(bid.price) : null;
  const shared = { pair, onPrice, deepest };
  return (
    <>
      <div className={`shrink-0 items-center text-11 text-text-3 ${bookColumns}`}>
        <span className="flex items-center gap-1">
          <span aria-hidden="true">Price</span>
          <select
            aria-label="Join prices to steps of"
            title="Join prices to steps of"
            value={String(step)}
            onChange={({ target }) => setChosen(steps.find((one) => String(one) === target.value) ?? null)}
            className="figures h-6 rounded-control border-0 bg-transparent font-medium text-text-2 max-md:h-11 pointer-coarse:text-16"
          >
            {steps.map((one) => (
              <option key={one} value={String(one)}>
                {formatFixed(one, decimalsOf(one))}
              </option>
            ))}
          </select>
        </span>
        <span aria-hidden="true" className="text-right">
          {pair.baseAsset}
        </span>
        <span aria-hidden="true" className="text-right">
          Sum
        </span>
      </div>
      <ul
        aria-label="Asks, the best one last"
        className="flex min-h-0 grow basis-0 flex-col-reverse flex-wrap overflow-hidden"
      >
        {asks.map((row) => (
          <LevelRow key={row.price} row={row} tone="down" {...shared} />
        ))}
      </ul>
      <p className={`figures shrink-0 border-y border-line py-1.5 text-12 ${bookColumns}`}>
        <span className="font-semibold">{formatPrice(toNumber(book.mid), pair.tickSize)}</span>
        <span className="col-span-2 text-right text-text-2">
          {spread === null ? null : `Spread ${formatPrice(spread, pair.tickSize)}`}
        </span>
      </p>
      <ul
        aria-label="Bids, the best one first"
        className="flex min-h-0 grow basis-0 flex-col flex-wrap overflow-hidden"
      >
        {bids.map((row) => (
          <LevelRow key={row.price} row={row} tone="up" {...shared} />
        ))}
      </ul>
    </>
  );
}

const views = [
  { value: 'book', label: 'Order book' },
  { value: 'trades', label: 'Trades' },
] as const;
type View = (typeof views)[number]['value'];

/** Where what is shown comes from. */
function sourceOf({ source, tradesSource }: ShownBook, view: View): readonly [name: string, meaning: string] {
  if (view === 'book') {
    const [name, meaning] = bookSourceNames[source];
    return [name, `${meaning} The levels shown are the levels that fill.`];
  }
  return tradesSource === 'live'
    ? ['Live', 'Trades of the exchange.']
    : ['Modelled', "What the market's prices would be as trades. No order made them."];
}

export default function OrderBook({ pair, onPrice, isInForm = false }: OrderBookProps) {
  const { data: book, isError } = useOrderBook(pair.symbol);
  const [view, setView] = useState<View>('book');
  const [name, meaning] = book ? sourceOf(book, view) : [];
  const frame = isInForm ? 'h-96 rounded-control border' : 'w-[248px] shrink-0 border-l bg-surface';
  return (
    <section aria-label="Order book" className={`flex min-h-0 flex-col border-line ${frame}`}>
      <header className="flex min-h-9 shrink-0 items-center justify-between border-b border-line px-1.5">
        <Segmented<View>
          label="Shown of the market"
          size="compact"
          options={views}
          value={view}
          onChange={setView}
        />
        {name === undefined ? null : (
          <span title={meaning}>
            <Badge>{name}</Badge>
          </span>
        )}
      </header>
      {book && !isError ? (
        view === 'book' ? (
          <Levels book={book} pair={pair} onPrice={onPrice} />
        ) : (
          <Trades trades={book.trades} pair={pair} />
        )
      ) : isError ? (
        <p className="p-2.5 text-12 text-text-2">There is no quote yet. It follows with the next price.</p>
      ) : (
        <Skeleton className="m-2.5 h-40" />
      )}
    </section>
  );
}
