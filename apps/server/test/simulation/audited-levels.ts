/** What an order or a closing gets from the levels of the book, of which the account may have used something up. */
import { nearest, over, plus, ratio, wholeAbove, wholeBelow } from './arithmetic.ts';
import type { AuditedPair, AuditedQuote } from './audited-market.ts';
import { entryOf, other, smaller, WHOLE } from './audited-net-formulas.ts';
import type { AuditedSide } from './formulas.ts';
import type { AuditedAccount, AuditedClosing, AuditedFill, AuditedPosition } from './ledger-book.ts';

export interface AuditedLevel {
  readonly price: bigint;
  readonly size: bigint;
}
/** The book of the last price, of which the account may have used something up. */
export interface AuditedBook {
  readonly quoteId: string;
  readonly mid: bigint;
  readonly at: number;
  readonly minuteVolume: bigint;
  readonly bids: readonly AuditedLevel[];
  readonly asks: readonly AuditedLevel[];
}
export interface NetInstant {
  readonly at: number;
  quote(symbol: string): AuditedQuote | undefined;
  book(symbol: string): AuditedBook | undefined;
}

export interface Taken {
  readonly size: bigint;
  readonly value: bigint;
  readonly price: bigint;
}

/** What the account meets: the levels without what it took in the last four seconds, less each millisecond. */
export function levelsOf(
  account: AuditedAccount,
  pair: AuditedPair,
  side: AuditedSide,
  book: AuditedBook,
  at: number,
): AuditedLevel[] {
  let gone = usedUp(account, pair.symbol, side, at);
  gone = wholeAbove(ratio(gone, pair.stepSize)) * pair.stepSize;
  const left: AuditedLevel[] = [];
  for (const { price, size } of side === 'BUY' ? book.asks : book.bids) {
    const taken = smaller(gone, size);
    gone -= taken;
    if (size > taken) left.push({ price, size: size - taken });
  }
  return left;
}

function usedUp({ trades }: AuditedAccount, symbol: string, side: AuditedSide, at: number): bigint {
  let used = 0n;
  for (const trade of trades) {
    if (trade.symbol !== symbol || trade.side !== side || trade.isMaker) continue;
    const left = 4_000 - Math.max(0, at - trade.at);
    if (left > 0) used += wholeAbove(ratio(trade.size * BigInt(left), 4_000n));
  }
  return used;
}

export const quoteIdOf = (account: AuditedAccount, symbol: string, book: AuditedBook, at: number): string => {
  const [bought, sold] = [usedUp(account, symbol, 'BUY', at), usedUp(account, symbol, 'SELL', at)];
  return bought + sold === 0n ? book.quoteId : `${book.quoteId}~${sold}~${bought}`;
};

/** The quote that an order names is of another price, or the account has taken from it since. */
export function isQuoteGone(
  named: string,
  account: AuditedAccount,
  symbol: string,
  book: AuditedBook,
  at: number,
) {
  const [id, sold = '0', bought = '0'] = named.split('~');
  if (id !== book.quoteId) return true;
  return (
    usedUp(account, symbol, 'SELL', at) > BigInt(sold) || usedUp(account, symbol, 'BUY', at) > BigInt(bought)
  );
}

/** `whole`: what the levels lack trades beyond the last of this book, by half of its width for each of its sizes. */
export function takeFrom(
  levels: readonly AuditedLevel[],
  side: AuditedSide,
  size: bigint,
  limit: bigint | null,
  whole: AuditedBook | null = null,
): Taken {
  let [left, paid] = [size, 0n];
  for (const level of levels) {
    if (limit !== null && (side === 'BUY' ? level.price > limit : level.price < limit)) break;
    const taken = smaller(left, level.size);
    paid += taken * level.price;
    left -= taken;
  }
  const all = whole && (side === 'BUY' ? whole.asks : whole.bids);
  const last = all?.at(-1);
  if (whole && all && last && left > 0n) {
    const depth = all.reduce((sum, level) => sum + level.size, 0n);
    const width = last.price > whole.mid ? last.price - whole.mid : whole.mid - last.price;
    const moved = ratio(width * left, 2n * depth);
    const end =
      side === 'BUY'
        ? wholeAbove(plus(ratio(last.price), moved))
        : wholeBelow(over(ratio(last.price), plus(ratio(1n), over(moved, ratio(last.price)))));
    paid += left * (end > 0n ? end : 1n);
    left = 0n;
  }
  const got = size - left;
  return {
    size: got,
    value: nearest(ratio(paid, WHOLE)),
    price: got === 0n ? 0n : nearest(ratio(paid, got)),
  };
}

/** The middle that a fill states, and what the market moved by since the arrival. */
export const movedSince = (arrival: bigint | null, side: AuditedSide, mid: bigint) =>
  arrival === null ? { mid } : { mid: arrival, latency: side === 'BUY' ? mid - arrival : arrival - mid };

interface ClosingTrade extends Pick<AuditedClosing, 'source'> {
  readonly position: AuditedPosition;
  readonly size: bigint;
}

/** What closing so much of a net position trades now; null where it closes at one price, as any other. */
export function netClose(
  account: AuditedAccount,
  pair: AuditedPair,
  { position, size, source }: ClosingTrade,
  instant: NetInstant,
  isWhole: boolean,
): (Taken & Pick<AuditedFill, 'mid' | 'quoteId'>) | null {
  const { value } = position;
  if (value === null) return null;
  // Without any price it is worth what was paid for it.
  if (source === 'entry') {
    const paid = entryOf(value, position.size);
    return { size, value, price: paid, mid: paid, quoteId: null };
  }
  const book = instant.book(position.symbol);
  if (!book) return null;
  const side = other(position.side);
  const levels = levelsOf(account, pair, side, book, instant.at);
  const isUsedUp = isWhole && levels.length === 0;
  return {
    ...takeFrom(levels, side, size, null, isWhole ? book : null),
    mid: book.mid,
    quoteId: isUsedUp ? book.quoteId : quoteIdOf(account, pair.symbol, book, instant.at),
  };
}

export const minuteOf = (at: number): number => Math.floor(at / 60_000);
