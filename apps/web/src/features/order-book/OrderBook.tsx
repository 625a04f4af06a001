/**
 * Bids and asks as this account meets them, without what it has just used up, and the market's last trades (A114). A click on a level
 * takes its price as that of a limit order; the keyboard has the field of that price.
 */
import { formatFixed, type Level, priceDecimals, toNumber } from '@fulcrum/domain';
import { useState } from 'react';
import { formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { Badge, Segmented, Skeleton } from '../../shared/ui/index.ts';
import type { Pair } from '../market/index.ts';
import { bookColumns } from './book-columns.ts';
import { bookSourceNames, type ShownBook, useOrderBook } from './book-query.ts';
import { Trades } from './Trades.tsx';

interface OrderBookProps {
  readonly pair: Pair;
  /** Gets the price of a level as the text of the field. */
  readonly onPrice: (text: string) => void;
  /** Within the order form, on a screen without the width for a panel of its own. */
  readonly isInForm?: boolean;
}

interface Row extends Level {
  /** With all better levels of its side. */
  readonly sum: bigint;
}

function withSums(levels: readonly Level[]): readonly Row[] {
  let sum = 0n;
  return levels.map((level) => {
    sum += level.size;
    return { ...level, sum };
  });
}

interface LevelsProps extends Pick<OrderBookProps, 'pair' | 'onPrice'> {
  readonly book: ShownBook;
}

interface LevelRowProps extends Omit<LevelsProps, 'book'> {
  readonly row: Row;
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
        title="Use as limit price"
        onClick={() => onPrice(formatFixed(row.price, priceDecimals(pair.limits)))}
        style={{ background: `linear-gradient(to left, ${bar} ${share}%, transparent ${share}%)` }}
        className={`figures h-5 w-full text-11 hover:brightness-125 ${bookColumns}`}
      >
        <span className={`text-left font-medium ${tone === 'up' ? 'text-up' : 'text-down'}`}>
          {formatPrice(toNumber(row.price), pair.tickSize)}
        </span>
        <span className="text-right">{formatSize(toNumber(row.size), pair.stepSize)}</span>
        <span className="text-right text-text-2">{formatSize(toNumber(row.sum), pair.stepSize)}</span>
      </button>
    </li>
  );
}

function Levels({ book, pair, onPrice }: LevelsProps) {
  const [bids, asks] = [withSums(book.bids), withSums(book.asks)];
  const deepest = [bids.at(-1)?.sum ?? 0n, asks.at(-1)?.sum ?? 0n].reduce((a, b) => (a > b ? a : b));
  const [bid, ask] = [bids[0], asks[0]];
  const spread = bid && ask ? toNumber(ask.price) - toNumber(bid.price) : null;
  const shared = { pair, onPrice, deepest };
  return (
    <>
      <div className={`shrink-0 py-1 text-11 text-text-3 ${bookColumns}`} aria-hidden="true">
        <span>Price</span>
        <span className="text-right">{pair.baseAsset}</span>
        <span className="text-right">Sum</span>
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
