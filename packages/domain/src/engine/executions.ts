/**
 * What an order of a size gets, which is where the rule sets differ: `standard` and `as-specified` trade at the market's one
 * price, `perpetual` accounts on the levels of a book (A114). Invariant: every price is explained by the middle of the market
 * and the costs beside it, to the last unit.
 */
import { orderValue } from '../margin.ts';
import { asPrice, asSize, type Price, type Size } from '../money.ts';
import {
  type Book,
  levelsFor,
  type OwnTrade,
  type QuotedBook,
  type Sweep,
  usedBy,
  withoutUsed,
} from '../perpetual/book.ts';
import type { QuotedProfile } from '../perpetual/fill-profiles.ts';
import type { Side } from '../states.ts';
import type { Context } from './commands.ts';
import type { Execution } from './effects.ts';
import type { Account } from './types.ts';

/** The part of an execution that the market gives. */
export type Fill = Pick<
  Execution,
  'size' | 'value' | 'price' | 'mid' | 'quoteId' | 'liquidity' | 'spreadCost' | 'impactCost' | 'latencyCost'
>;

const NO_COST = asPrice(0n);

/** At the market's one price. */
export const fillAt = (price: Price, size: Size): Fill => ({
  size,
  value: orderValue(price, size),
  price,
  mid: price,
  quoteId: null,
  liquidity: 'taker',
  spreadCost: NO_COST,
  impactCost: NO_COST,
  latencyCost: NO_COST,
});

const costOf = (side: Side, from: Price, to: Price): Price => asPrice(side === 'BUY' ? to - from : from - to);

/** Of a `sweep` over the levels of that book; not of an empty one. */
export function takerFill(book: QuotedBook, side: Side, { size, value, price }: Sweep): Fill {
  const best = levelsFor(book, side)[0]?.price ?? price;
  return {
    ...fillAt(price, size),
    value,
    mid: book.mid,
    quoteId: book.quoteId,
    spreadCost: costOf(side, book.mid, best),
    impactCost: costOf(side, best, price),
  };
}

/** Of an order that arrived while the middle was at `arrival`; null for one without latency. */
export const afterLatency = (fill: Fill, side: Side, arrival: Price | null): Fill =>
  arrival === null ? fill : { ...fill, mid: arrival, latencyCost: costOf(side, arrival, fill.mid) };

/** Of a waiting order at its own price, while the market is at `mid`: what it gains on that is a negative spread. */
export const makerFill = (side: Side, price: Price, size: Size, mid: Price): Fill => ({
  ...fillAt(price, size),
  mid,
  liquidity: 'maker',
  spreadCost: costOf(side, mid, price),
});

/**
 * The book as this account meets it, without what it has used up itself (A114). Its id says how much that is, so that it can be
 * rebuilt. Undefined where the symbol has no book.
 */
export function bookFor(
  account: Pick<Account, 'ownTrades'>,
  symbol: string,
  context: Pick<Context, 'market' | 'fillProfile' | 'now'>,
): QuotedBook | undefined {
  const pair = context.market.pair(symbol);
  const book = marketBook(symbol, context);
  return pair && book && bookWithoutOwn(book, account.ownTrades(symbol), pair.stepSize, context.now);
}

/** The book as everybody meets it. */
export function marketBook(
  symbol: string,
  { market, fillProfile }: Pick<Context, 'market' | 'fillProfile'>,
): QuotedBook | undefined {
  if (fillProfile === 'exact') return undefined;
  const profile: QuotedProfile = fillProfile;
  return market.book?.(symbol, profile);
}

/** `book` less what these trades, the newest first, have used up at `now`. */
export function bookWithoutOwn(
  book: QuotedBook,
  trades: Iterable<OwnTrade>,
  stepSize: Size,
  now: number,
): QuotedBook {
  const used = usedBy(trades, now);
  return used.bought === 0n && used.sold === 0n ? book : bookWithoutUsed(book, used, stepSize);
}

/** Whether an order that names a quote meets at least what it showed: the same book, of which the account has not used up more since. */
export function isStillQuoted(seen: string, { quoteId }: QuotedBook): boolean {
  const [then, now] = [parseUsed(seen), parseUsed(quoteId)];
  return then.book === now.book && now.sold <= then.sold && now.bought <= then.bought;
}

function parseUsed(quoteId: string) {
  const [book, ...used] = quoteId.split('~');
  const [sold = 0n, bought = 0n] = used.map((part) => (/^\d{1,30}$/.test(part) ? BigInt(part) : 0n));
  return { book, sold, bought };
}

/** `book` less so much, in units of the base. */
export function bookWithoutUsed<Named extends Book & Pick<QuotedBook, 'quoteId'>>(
  book: Named,
  { bought, sold }: { readonly bought: bigint; readonly sold: bigint },
  stepSize: Size,
): Named {
  return {
    ...book,
    quoteId: `${book.quoteId}~${sold}~${bought}`,
    bids: withoutUsed(book.bids, asSize(sold), stepSize),
    asks: withoutUsed(book.asks, asSize(bought), stepSize),
  };
}

export const NO_SIZE = asSize(0n);
