/**
 * The two sides of a market as an order meets them: levels of whole ticks and whole steps, and the walk of an order
 * over them. Invariants: the value of a fill is the sum of its levels, rounded once; a larger order never gets a
 * better average price.
 */
import {
  asMoney,
  asPrice,
  asSize,
  divideRounded,
  type Money,
  type Price,
  type Size,
  UNIT,
} from '../money.ts';
import type { Side } from '../states.ts';

export interface Level {
  readonly price: Price;
  readonly size: Size;
}

/** Each side starts with its best price. */
export interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** `live_best`: the best price of each side is the exchange's, the levels behind it are modelled. */
export const bookSources = ['live', 'live_best', 'modelled'] as const;
export type BookSource = (typeof bookSources)[number];

/** A book with a name by which it can be read again, and the price in its middle. */
export interface QuotedBook extends Book {
  readonly quoteId: string;
  readonly source: BookSource;
  /** Of a modelled book the market's price, of a live one half-way between its best prices, which may lie between two ticks. */
  readonly mid: Price;
  /** The instant of that price, milliseconds since the epoch. */
  readonly at: number;
  /** What the market trades in a minute, in base units. */
  readonly minuteVolume: Size;
}

/** The levels that an order of this side takes. */
export const levelsFor = ({ bids, asks }: Book, side: Side): readonly Level[] =>
  side === 'BUY' ? asks : bids;

export interface Sweep {
  /** Zero when no level is within the limit. */
  readonly size: Size;
  /** USDT: the sum of price × size over the levels, rounded half away from zero. */
  readonly value: Money;
  /** The average price, rounded to 1e-8 half away from zero; zero for an empty sweep. */
  readonly price: Price;
}

const isWithin = (side: Side, price: Price, limit: Price | null): boolean =>
  limit === null || (side === 'BUY' ? price <= limit : price >= limit);

/** `exact`: price × size over the levels, in units of both. */
function walk(levels: readonly Level[], side: Side, size: Size, limit: Price | null) {
  let left: bigint = size;
  let exact = 0n;
  for (const level of levels) {
    if (left === 0n || !isWithin(side, level.price, limit)) break;
    const taken = level.size < left ? level.size : left;
    exact += level.price * taken;
    left -= taken;
  }
  return { exact, left };
}

function toSweep(exact: bigint, size: bigint): Sweep {
  const value = asMoney(divideRounded(exact, UNIT, 'half-away-from-zero'));
  const price = size === 0n ? 0n : divideRounded(exact, size, 'half-away-from-zero');
  return { size: asSize(size), value, price: asPrice(price) };
}

/** What an order of this side and size gets from the levels, the best first, at `limit` or better. */
export function sweep(
  levels: readonly Level[],
  side: Side,
  size: Size,
  { limit = null }: { readonly limit?: Price | null } = {},
): Sweep {
  const { exact, left } = walk(levels, side, size, limit);
  return toSweep(exact, size - left);
}

/**
 * What a size gets that has to trade whole, as a liquidation: the levels, and beyond them a market that goes on as it is. With D
 * the size of the whole book, w the distance of its last level from the middle and p that level's price, R more trades at
 * p + wR/2D for a BUY, and at p ÷ (1 + wR/2Dp) for a SELL, which stays above zero. `levels` are what is left of `book`.
 */
export function sweepWhole(levels: readonly Level[], book: QuotedBook, side: Side, size: Size): Sweep {
  const { exact, left } = walk(levels, side, size, null);
  const full = levelsFor(book, side);
  const last = full.at(-1);
  if (left === 0n || !last) return toSweep(exact, size - left);
  const depth = 2n * full.reduce((sum, level) => sum + level.size, 0n);
  const width = side === 'BUY' ? last.price - book.mid : book.mid - last.price;
  const beyond =
    side === 'BUY'
      ? last.price + divideRounded(width * left, depth, 'ceiling')
      : (last.price * last.price * depth) / (last.price * depth + width * left);
  return toSweep(exact + (beyond > 0n ? beyond : 1n) * left, size);
}

/** The levels without the first `used` of their size; what is left of a level stays a whole number of steps. */
export function withoutUsed(levels: readonly Level[], used: Size, stepSize: Size): readonly Level[] {
  if (used <= 0n) return levels;
  let left: bigint = divideRounded(used, stepSize, 'ceiling') * stepSize;
  const rest: Level[] = [];
  for (const { price, size } of levels) {
    if (left >= size) {
      left -= size;
      continue;
    }
    rest.push({ price, size: asSize(size - left) });
    left = 0n;
  }
  return rest;
}

/** A trade of an account, as far as it still bears on its next one. */
export interface OwnTrade {
  readonly side: Side;
  readonly size: Size;
  readonly isMaker: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** For how long an account's own trades take from the levels that it sees (A114). */
export const ownTradesMs = 4_000;

/**
 * How much of the levels on either side an account has used up itself: each trade in full at first, and linearly less until 4 s
 * later (A114). `trades`: the newest first.
 */
export function usedBy(
  trades: Iterable<OwnTrade>,
  at: number,
): { readonly bought: Size; readonly sold: Size } {
  let [bought, sold] = [0n, 0n];
  for (const { side, size, isMaker, at: tradedAt } of trades) {
    const age = at > tradedAt ? at - tradedAt : 0;
    if (age >= ownTradesMs) break;
    if (isMaker) continue;
    const used = divideRounded(size * BigInt(ownTradesMs - age), BigInt(ownTradesMs), 'ceiling');
    if (side === 'BUY') bought += used;
    else sold += used;
  }
  return { bought: asSize(bought), sold: asSize(sold) };
}

/** The part of its minute's volume that a waiting order may get a minute, in per cent (A114). */
const makerShare = 10n;

/** How much more the account's waiting orders of a symbol may fill in the minute of `at`. `trades`: the newest first. */
export function makerAllowance(
  trades: Iterable<OwnTrade>,
  minuteVolume: Size,
  stepSize: Size,
  at: number,
): Size {
  const minute = Math.floor(at / 60_000);
  let filled = 0n;
  for (const trade of trades) {
    const of = Math.floor(trade.at / 60_000);
    if (of < minute) break;
    if (trade.isMaker && of === minute) filled += trade.size;
  }
  const share = (minuteVolume * makerShare) / 100n;
  // In a market that hardly trades one step a minute, else nothing ever filled.
  const allowed = (share < stepSize ? stepSize : share) - filled;
  return asSize(allowed <= 0n ? 0n : allowed - (allowed % stepSize));
}

/** Whether the book trades an order of this side at `price` now. */
export function isMarketable(book: Book, side: Side, price: Price | null): boolean {
  const [best] = levelsFor(book, side);
  return best !== undefined && isWithin(side, best.price, price);
}
