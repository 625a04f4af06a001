/**
 * The auditor's accounts with net positions (A113, A114): what an order gets from the levels, what becomes of the position,
 * and what waits. Own arithmetic and own copies of the published tables; only the levels come from the market, as prices do.
 */
import type { AmendCommand, Command, OpenCommand, PlaceCommand } from '@fulcrum/domain';
import {
  minus,
  nearest,
  over,
  plus,
  type Ratio,
  ratio,
  times,
  wholeAbove,
  wholeBelow,
} from './arithmetic.ts';
import {
  type AuditedPair,
  type AuditedQuote,
  inputFaults,
  isOffGrid,
  placementFaults,
} from './audited-market.ts';
import { type AuditedSide, marginOf, movedBeyond } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedClosing,
  type AuditedFill,
  type AuditedOrder,
  type AuditedPosition,
  availableIn,
  type House,
} from './ledger-book.ts';

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

const WHOLE = 100_000_000n;
const units = (figure: bigint): Ratio => ratio(figure, WHOLE);
const inUnits = (figure: Ratio): bigint => nearest(times(figure, ratio(WHOLE)));
const other = (side: AuditedSide): AuditedSide => (side === 'BUY' ? 'SELL' : 'BUY');
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Up to this value in USDT, greatest leverage, maintenance in 1/10,000, amount taken off. */
type Bracket = readonly [cap: bigint, leverage: number, points: bigint, off: bigint];
const bracketsOf: Readonly<Record<string, readonly Bracket[]>> = {
  crypto: [
    [50_000n, 125, 40n, 0n],
    [250_000n, 100, 50n, 50n],
    [1_000_000n, 50, 100n, 1_300n],
    [10_000_000n, 20, 250n, 16_300n],
    [20_000_000n, 10, 500n, 266_300n],
    [50_000_000n, 5, 1_000n, 1_266_300n],
    [100_000_000n, 4, 1_250n, 2_516_300n],
    [200_000_000n, 3, 1_500n, 5_016_300n],
    [500_000_000n, 2, 2_500n, 25_016_300n],
  ],
  forex: [
    [250_000n, 125, 30n, 0n],
    [1_000_000n, 100, 50n, 500n],
    [5_000_000n, 50, 100n, 5_500n],
    [25_000_000n, 20, 250n, 80_500n],
    [100_000_000n, 10, 500n, 705_500n],
    [500_000_000n, 5, 1_000n, 5_705_500n],
  ],
  commodity: [
    [100_000n, 100, 50n, 0n],
    [500_000n, 50, 100n, 500n],
    [2_000_000n, 20, 250n, 8_000n],
    [10_000_000n, 10, 500n, 58_000n],
    [50_000_000n, 5, 1_000n, 558_000n],
    [200_000_000n, 2, 2_500n, 8_058_000n],
  ],
};

function bracketOf({ type }: Pick<AuditedPair, 'type'>, value: bigint): Bracket {
  const brackets = bracketsOf[type] ?? [];
  const found = brackets.find(([cap]) => value <= cap * WHOLE) ?? brackets.at(-1);
  if (!found) throw new RangeError(`the auditor has no brackets of ${type}`);
  return found;
}

/** The greatest value of a position at this leverage; zero for a leverage that the market does not have. */
const mostAt = ({ type }: Pick<AuditedPair, 'type'>, leverage: number): bigint =>
  (bracketsOf[type]?.findLast(([, times]) => leverage <= times)?.[0] ?? 0n) * WHOLE;

/** Maker and taker, in 1e-8. */
export const netFees = { maker: 20_000n, taker: 50_000n } as const;
const feeOn = (value: bigint, rate: bigint): bigint => inUnits(times(units(value), units(rate)));
const marginOn = (value: bigint, leverage: number): bigint => wholeBelow(ratio(value, BigInt(leverage)));
export const entryOf = (value: bigint, size: bigint): bigint => inUnits(over(units(value), units(size)));

/** Margin + result = maintenance: BUY M + (qP - V) = r q P - c, SELL M + (V - qP) = r q P - c; to the tick towards the entry. */
export function netLiquidation(
  { side, size, value, margin }: { side: AuditedSide; size: bigint; value: bigint; margin: bigint },
  pair: Pick<AuditedPair, 'type' | 'tickSize'>,
): bigint {
  const { tickSize: tick } = pair;
  const [, , points, off] = bracketOf(pair, value);
  const rate = ratio(points, 10_000n);
  const [v, m, c, q] = [units(value), units(margin), ratio(off), units(size)];
  const entry = entryOf(value, size);
  if (side === 'BUY') {
    const exact = over(minus(minus(v, m), c), times(q, minus(ratio(1n), rate)));
    let ticks = wholeAbove(over(times(exact, ratio(WHOLE)), ratio(tick)));
    while (ticks * tick >= entry) ticks -= 1n;
    return (ticks < 1n ? 1n : ticks) * tick;
  }
  const exact = over(plus(plus(v, m), c), times(q, plus(ratio(1n), rate)));
  let ticks = wholeBelow(over(times(exact, ratio(WHOLE)), ratio(tick)));
  while (ticks * tick <= entry) ticks += 1n;
  // No trigger waits for more.
  return smaller(ticks, (2n ** 53n - 1n) / tick) * tick;
}

interface Taken {
  readonly size: bigint;
  readonly value: bigint;
  readonly price: bigint;
}

/** What the account meets: the levels without what it took in the last four seconds, less each millisecond. */
function levelsOf(
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

const quoteIdOf = (account: AuditedAccount, symbol: string, book: AuditedBook, at: number): string => {
  const [bought, sold] = [usedUp(account, symbol, 'BUY', at), usedUp(account, symbol, 'SELL', at)];
  return bought + sold === 0n ? book.quoteId : `${book.quoteId}~${sold}~${bought}`;
};

/** The quote that an order names is of another price, or the account has taken from it since. */
function isQuoteGone(named: string, account: AuditedAccount, symbol: string, book: AuditedBook, at: number) {
  const [id, sold = '0', bought = '0'] = named.split('~');
  if (id !== book.quoteId) return true;
  return (
    usedUp(account, symbol, 'SELL', at) > BigInt(sold) || usedUp(account, symbol, 'BUY', at) > BigInt(bought)
  );
}

/** `whole`: what the levels lack trades beyond the last of this book, by half of its width for each of its sizes. */
function takeFrom(
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

export const netOf = (account: AuditedAccount, symbol: string): AuditedPosition | undefined =>
  account.positions.find((position) => position.symbol === symbol && !position.closing);
const againstOf = (position: AuditedPosition | undefined, side: AuditedSide): bigint =>
  position && position.side === other(side) ? position.size : 0n;
export const isOrderWaiting = ({ status }: Pick<AuditedOrder, 'status'>): boolean =>
  status === 'NEW' || status === 'PARTIALLY_FILLED';
const waitingOf = (account: AuditedAccount, symbol: string): AuditedOrder | undefined =>
  account.orders.find((order) => order.symbol === symbol && isOrderWaiting(order));
const leverageOf = ({ leverages }: AuditedAccount, symbol: string): number => leverages.get(symbol) ?? 20;

/** What the auditor lends: its closing of a position, and the marks of touched rows. */
export interface NetTools {
  readonly house: House;
  readonly pairOf: (symbol: string) => AuditedPair | undefined;
  readonly tolerancePercent: bigint;
  readonly touch: (row: AuditedPosition | AuditedOrder) => unknown;
  /** Books the result of the whole of a position; returns the fee. */
  readonly close: (
    account: AuditedAccount,
    position: AuditedPosition,
    closing: { price: bigint; value: bigint; at: number; rate: bigint },
  ) => bigint;
  readonly takeOff: (account: AuditedAccount, whole: AuditedPosition, size: bigint) => AuditedPosition;
  readonly charge: (account: AuditedAccount, fee: bigint) => void;
}

interface NetOrder {
  readonly pair: AuditedPair;
  readonly side: AuditedSide;
  readonly size: bigint;
  readonly leverage: number;
  readonly limit: bigint | null;
  readonly takeProfit: bigint | null;
  readonly stopLoss: bigint | null;
  readonly timeInForce: string;
  readonly reduceOnly: boolean;
  readonly quoteId: string | null;
  readonly order: AuditedOrder | null;
}
interface Placed {
  readonly faults: readonly string[];
  readonly filled: Taken | null;
  readonly position: AuditedPosition | null;
  readonly reserved: bigint;
  readonly left: bigint;
  readonly waits: boolean;
}
/** What the order has traded into is protected by it; then the protection is the position's own. */
const protectionOf = (
  { filled, position, takeProfit, stopLoss }: AuditedOrder,
  open: AuditedPosition | undefined,
) =>
  filled > 0n && position?.id === open?.id ? { takeProfit: null, stopLoss: null } : { takeProfit, stopLoss };

/**
 * What a tick makes of a waiting order, if its account can pay: how much of it fills; `ends` where a reduce-only order has nothing to
 * reduce; null where the other side of the book is not beyond its price, or the account's share of the minute is used up.
 */
export function fillAt(
  account: AuditedAccount,
  { symbol, side, price, size, filled, reduceOnly }: AuditedOrder,
  pair: AuditedPair,
  { tick, at, book: bookOf }: Pick<NetInstant, 'at' | 'book'> & { readonly tick: bigint },
): bigint | 'ends' | null {
  const book = bookOf(symbol);
  if (!book || price === null) return null;
  // The tick with the spread of the book: the best price of the other side has to be beyond the order's.
  const [best] = side === 'BUY' ? book.asks : book.bids;
  const otherSide = tick + (best ? best.price - book.mid : 0n);
  if (side === 'BUY' ? otherSide >= price : otherSide <= price) return null;
  const most = reduceOnly ? againstOf(netOf(account, symbol), side) : size - filled;
  if (most === 0n) return 'ends';
  const minute = minuteOf(at);
  const share = book.minuteVolume / 10n;
  let allowed = share < pair.stepSize ? pair.stepSize : share;
  for (const trade of account.trades)
    if (trade.symbol === symbol && trade.isMaker && minuteOf(trade.at) === minute) allowed -= trade.size;
  allowed = allowed > 0n ? allowed - (allowed % pair.stepSize) : 0n;
  const filling = smaller(size - filled, smaller(allowed, most));
  return filling === 0n ? null : filling;
}
export const minuteOf = (at: number): number => Math.floor(at / 60_000);

const refused = (...faults: string[]): Placed => ({
  ...{ faults, filled: null, position: null, reserved: 0n, left: 0n, waits: false },
});

/** Judges one command on one account; it may have changed the account even where it refuses, so it gets a copy first. */
export class NetJudge {
  readonly #tools: NetTools;
  readonly #account: AuditedAccount;
  readonly #instant: NetInstant;
  readonly #ids: readonly string[];

  constructor(tools: NetTools, account: AuditedAccount, instant: NetInstant, ids: readonly string[]) {
    this.#tools = tools;
    this.#account = account;
    this.#instant = instant;
    this.#ids = ids;
  }

  /** Null: the command is decided as in any account. */
  judge(command: Command): readonly string[] | null {
    switch (command.kind) {
      case 'open':
        return this.#open(command);
      case 'place':
        return this.#place(command);
      case 'fill':
        return this.#fill(command.orderId, command.price);
      case 'amend':
        return this.#amend(command);
      case 'reverse': {
        const position = this.#account.positions.find(({ id }) => id === command.positionId);
        if (!position) return ['position_not_found'];
        if (position.closing) return ['position_closed'];
        return this.#open({
          ...{
            kind: 'open',
            symbol: position.symbol,
            side: other(position.side),
            leverage: position.leverage,
          },
          ...{
            size: (2n * position.size) as never,
            expectedPrice: command.expectedPrice,
            timeInForce: 'FOK',
          },
          ...{ takeProfitPrice: null, stopLossPrice: null },
        });
      }
      case 'set_leverage':
        return this.#setLeverage(command.symbol, command.leverage);
      case 'adjust_margin':
        return this.#adjustMargin(command.positionId, command.amount);
      case 'edit':
        return ['net_position_fixed'];
      default:
        return null;
    }
  }

  #remember(): () => void {
    const [account, house] = [structuredClone(this.#account), { ...this.#tools.house }];
    return () => {
      Object.assign(this.#account, account);
      Object.assign(this.#tools.house, house);
    };
  }

  #openableFaults(symbol: string, expected: bigint | null): string[] {
    const quote = this.#instant.quote(symbol);
    if (!quote) return ['no_price'];
    if (!quote.marketOpen) return ['market_closed'];
    if (quote.stale) return ['price_stale'];
    const isMoved = expected !== null && movedBeyond(expected, quote.price, this.#tools.tolerancePercent);
    return isMoved ? ['price_moved'] : [];
  }

  #leverageFaults(symbol: string, leverage: number): string[] {
    if (leverage > this.#account.terms.leverageMax) return ['leverage_capped'];
    if (leverage === leverageOf(this.#account, symbol)) return [];
    const inUse = netOf(this.#account, symbol)?.leverage ?? waitingOf(this.#account, symbol)?.leverage;
    return inUse === undefined || inUse === leverage ? [] : ['leverage_in_use'];
  }

  #protectionFaults({ pair, side, limit, takeProfit, stopLoss }: NetOrder): string[] {
    const reference = limit ?? this.#instant.quote(pair.symbol)?.price;
    if (reference === undefined) return [];
    const gain = (price: bigint): bigint => (side === 'BUY' ? price - reference : reference - price);
    const isWrong =
      [takeProfit, stopLoss].some((price) => price !== null && isOffGrid(price, pair)) ||
      (takeProfit !== null && gain(takeProfit) <= 0n) ||
      (stopLoss !== null && gain(stopLoss) >= 0n);
    return isWrong ? ['protection_invalid'] : [];
  }

  #open(command: OpenCommand): readonly string[] {
    const pair = this.#tools.pairOf(command.symbol);
    const malformed = inputFaults(command, pair);
    if (malformed.length > 0 || !pair) return malformed;
    const faults = this.#openableFaults(pair.symbol, command.expectedPrice);
    if (faults.length > 0) return faults;
    const placed = this.#put({ ...orderOf(command, pair), limit: null, order: null });
    if (placed.position) return placed.faults;
    return placed.faults.length > 0 && !this.#account.isRestricted
      ? placed.faults
      : [...placed.faults, 'order_not_fillable'];
  }

  #place(command: PlaceCommand): readonly string[] {
    const pair = this.#tools.pairOf(command.symbol);
    const malformed = placementFaults(command, pair);
    if (!['GTC', 'IOC', 'FOK', 'GTX'].includes(command.timeInForce ?? 'GTC'))
      malformed.push('time_in_force_invalid');
    if (command.type === 'MARKET' && command.timeInForce === 'GTX') malformed.push('time_in_force_invalid');
    if (command.type === 'STOP') malformed.push('order_type_invalid');
    if (command.type === 'LIMIT')
      malformed.push(...sizeFaults(command.price, command.size, command.leverage));
    if (malformed.length > 0 || !pair) return malformed;
    const limit = command.type === 'LIMIT' ? command.price : null;
    const input = orderOf(command, pair);
    const order: AuditedOrder = {
      ...{ id: this.#ids[0] ?? null, symbol: pair.symbol, type: command.type as 'LIMIT', side: input.side },
      ...{ price: command.price, size: command.size, leverage: command.leverage, clientId: command.clientId },
      ...{
        takeProfit: input.takeProfit,
        stopLoss: input.stopLoss,
        reserved: 0n,
        status: 'NEW',
        rejections: [],
      },
      ...{ timeInForce: input.timeInForce, reduceOnly: input.reduceOnly, filled: 0n, filledValue: 0n },
      ...{ position: null, createdAt: this.#instant.at, version: 0, accountVersion: 0 },
    };
    const moved =
      command.type === 'MARKET' && command.price !== null
        ? this.#openableFaults(pair.symbol, command.price)
        : [];
    const undo = this.#remember();
    const tried = this.#put({ ...input, limit, order });
    const placed = moved.length > 0 ? refused(...moved, ...tried.faults) : tried;
    if (placed.faults.length > 0 && !command.keepRejected) return placed.faults;
    if (placed.faults.length > 0) {
      // As if it had never been tried.
      undo();
      Object.assign(order, { status: 'REJECTED', rejections: placed.faults });
      this.#account.orders.push(order);
      this.#account.notices.push('order_rejected');
      this.#tools.touch(order);
      return [];
    }
    this.#account.orders.push(order);
    this.#tools.touch(order);
    this.#keep(order, placed);
    if (placed.position) this.#account.notices.push('order_filled');
    return [];
  }

  /** What became of the order: filled parts, what waits, what has expired. */
  #keep(order: AuditedOrder, { filled, position, reserved, left, waits }: Placed): void {
    order.filled += filled?.size ?? 0n;
    order.filledValue += filled?.value ?? 0n;
    order.position = position ?? order.position;
    order.reserved = reserved;
    if (left === 0n) order.status = 'FILLED';
    else if (!waits) order.status = 'EXPIRED';
    else if (order.filled > 0n) order.status = 'PARTIALLY_FILLED';
  }

  #put(order: NetOrder): Placed {
    const account = this.#account;
    const { pair, side, leverage } = order;
    const { symbol } = pair;
    const faults = [...this.#leverageFaults(symbol, leverage), ...this.#protectionFaults(order)];
    if (order.reduceOnly && againstOf(netOf(account, symbol), side) === 0n) faults.push('nothing_to_reduce');
    const isBarred = account.isRestricted && againstOf(netOf(account, symbol), side) === 0n;
    if (isBarred) faults.push('account_restricted');
    if (faults.length > (isBarred ? 1 : 0)) return refused(...faults);
    const placed = this.#take(order);
    // What else is wrong with it is a reason as well.
    return isBarred ? { ...placed, faults: [...faults, ...placed.faults] } : placed;
  }

  #take(order: NetOrder): Placed {
    const account = this.#account;
    const { pair, side, limit, size, timeInForce, leverage } = order;
    const { symbol } = pair;
    const canWait = limit !== null && (timeInForce === 'GTC' || timeInForce === 'GTX');
    account.leverages.set(symbol, leverage);
    let filled: Taken | null = null;
    let position: AuditedPosition | null = null;
    const shut = this.#openableFaults(symbol, null);
    const book = this.#instant.book(symbol);
    const { at } = this.#instant;
    if (!book) return refused(...shut, 'no_quote');
    if (order.quoteId !== null && isQuoteGone(order.quoteId, account, symbol, book, at))
      return refused('quote_changed');
    if (shut.length > 0) {
      // What the last book would fill may not wait for a better one.
      const all = side === 'BUY' ? book.asks : book.bids;
      if (!canWait || takeFrom(all, side, 1n, limit).size > 0n) return refused(...shut);
    } else {
      const levels = levelsOf(account, pair, side, book, at);
      if (timeInForce === 'GTX') {
        if (takeFrom(levels, side, 1n, limit).size > 0n) return refused('order_would_take');
      } else {
        const most = order.reduceOnly ? againstOf(netOf(account, symbol), side) : size;
        const taken = takeFrom(levels, side, smaller(size, most), limit);
        if (timeInForce === 'FOK' && taken.size < size) return refused('order_not_fillable');
        if (taken.size > 0n) {
          const traded = this.#trade(order, taken, {
            ...{
              mid: book.mid,
              quoteId: quoteIdOf(account, symbol, book, at),
              liquidity: 'taker',
              rate: netFees.taker,
            },
            release: false,
          });
          if (traded.faults.length > 0) return refused(...traded.faults);
          filled = taken;
          position = traded.position;
        }
      }
    }
    const left = size - (filled?.size ?? 0n);
    const waits = left > 0n && canWait;
    const reserved = waits && limit !== null ? this.#reserve(order, left, limit) : 0n;
    if (availableIn(account) - reserved < 0n) return refused('insufficient_balance');
    return { faults: [], filled, position, reserved, left, waits };
  }

  /** Margin and fee of what would open, after what others of its side already take off the position. */
  #reserve({ pair, side, leverage, reduceOnly, order }: NetOrder, size: bigint, price: bigint): bigint {
    if (reduceOnly) return 0n;
    let free = againstOf(netOf(this.#account, pair.symbol), side);
    for (const rival of this.#account.orders) {
      if (rival === order || rival.symbol !== pair.symbol || rival.side !== side || !isOrderWaiting(rival))
        continue;
      free -= rival.size - rival.filled;
    }
    const opens = size - (free > 0n ? free : 0n);
    if (opens <= 0n) return 0n;
    const value = inUnits(times(units(price), units(opens)));
    return marginOn(value, leverage) + feeOn(value, netFees.taker);
  }

  #trade(
    { pair, side, leverage, takeProfit, stopLoss, order }: NetOrder,
    { size, value, price }: Taken,
    how: {
      mid: bigint;
      quoteId: string | null;
      liquidity: 'maker' | 'taker';
      rate: bigint;
      release: boolean;
    },
  ): { faults: readonly string[]; position: AuditedPosition | null } {
    const account = this.#account;
    const { at } = this.#instant;
    const before = netOf(account, pair.symbol);
    const closes = before ? smaller(againstOf(before, side), size) : 0n;
    const closesFor = closes === size ? value : wholeBelow(ratio(value * closes, size));
    let [fee, pnl] = [0n, null as bigint | null];
    let closed: AuditedPosition | null = null;
    // In the order in which the engine draws ids: the order's, its released reserve, the part and its split, the close and its fee.
    let drawn =
      (how.liquidity === 'taker' && order?.id === this.#ids[0] && order ? 1 : 0) + (how.release ? 1 : 0);
    if (before && closes > 0n) {
      closed = closes === before.size ? before : this.#tools.takeOff(account, before, closes);
      if (closed !== before) {
        if (closed.margin === 0n) return { faults: ['amount_too_small'], position: null };
        closed.id = this.#ids[drawn] ?? null;
        drawn += 2;
      }
      const charged = this.#tools.close(account, closed, { price, value: closesFor, at, rate: how.rate });
      fee += charged;
      pnl = closed.closing?.pnl ?? null;
      drawn += 1 + (charged > 0n ? 1 : 0);
    }
    let opened: AuditedPosition | null = null;
    if (closes < size) {
      if (account.isRestricted) return { faults: ['account_restricted'], position: null };
      const [opens, opensFor] = [size - closes, value - closesFor];
      const target = closes === 0n ? before : undefined;
      const whole = (target?.value ?? 0n) + opensFor;
      if (whole > mostAt(pair, leverage)) return { faults: ['position_too_large'], position: null };
      const margin = marginOn(opensFor, leverage);
      if (margin === 0n) return { faults: ['amount_too_small'], position: null };
      const charged = feeOn(opensFor, how.rate);
      opened = target ?? newPosition(account, pair.symbol, side, leverage, at, this.#ids[drawn] ?? null);
      if (!target) account.positions.push(opened);
      opened.size += opens;
      opened.value = whole;
      opened.entry = entryOf(whole, opened.size);
      opened.margin += margin;
      opened.liquidation = netLiquidation({ ...opened, value: whole }, pair);
      opened.takeProfit = takeProfit ?? opened.takeProfit;
      opened.stopLoss = stopLoss ?? opened.stopLoss;
      opened.initialStopLoss ??= opened.stopLoss;
      opened.isWarned = false;
      opened.fees += charged;
      this.#tools.touch(opened);
      this.#tools.charge(account, charged);
      fee += charged;
    }
    const of = opened ?? closed;
    if (!of) throw new RangeError('a trade of nothing');
    const fill: AuditedFill = {
      ...{ side, size, price, value, fee, pnl, of, by: order, mid: how.mid, quoteId: how.quoteId },
      ...{ liquidity: how.liquidity, flippedFrom: opened && closed ? closed : null },
    };
    account.fills.push(fill);
    account.trades.push({ symbol: pair.symbol, side, size, isMaker: how.liquidity === 'maker', at });
    return { faults: [], position: of };
  }

  #fill(orderId: string, tick: bigint | null): readonly string[] {
    const account = this.#account;
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_not_found', 'order_final'];
    const { price, side, symbol } = order;
    const pair = this.#tools.pairOf(symbol);
    if (!pair || price === null || tick === null) return ['not_crossed'];
    const met = fillAt(account, order, pair, { ...this.#instant, tick });
    if (met === null) return ['not_crossed'];
    this.#tools.touch(order);
    if (met === 'ends') return this.#end(order, []);
    const size = met;
    const left = order.size - order.filled;
    const undo = this.#remember();
    const at = account.orders.indexOf(order);
    const hadReserve = order.reserved > 0n;
    order.reserved = 0n;
    const taken = { size, price, value: inUnits(times(units(price), units(size))) };
    const input: NetOrder = {
      ...{ pair, side, size: left, leverage: order.leverage, limit: price, order, quoteId: null },
      ...protectionOf(order, netOf(account, symbol)),
      ...{ timeInForce: 'GTC', reduceOnly: order.reduceOnly },
    };
    const traded = this.#trade(input, taken, {
      mid: tick,
      quoteId: null,
      liquidity: 'maker',
      rate: netFees.maker,
      release: hadReserve,
    });
    const isPaid = availableIn(account) >= 0n;
    const rest =
      traded.faults.length === 0 && isPaid && size < left ? this.#reserve(input, left - size, price) : 0n;
    if (traded.faults.length > 0 || availableIn(account) - rest < 0n) {
      undo();
      const same = account.orders[at];
      if (!same) throw new RangeError('the order is gone');
      this.#tools.touch(same);
      return this.#end(same, traded.faults.length > 0 ? traded.faults : ['insufficient_balance']);
    }
    order.reserved = rest;
    order.filled += size;
    order.filledValue += taken.value;
    order.position = traded.position;
    order.status = order.filled === order.size ? 'FILLED' : 'PARTIALLY_FILLED';
    account.notices.push('order_filled');
    return [];
  }

  #end(order: AuditedOrder, faults: readonly string[]): readonly string[] {
    const isRejected = faults.length > 0 && order.status === 'NEW';
    order.reserved = 0n;
    order.status = isRejected ? 'REJECTED' : 'EXPIRED';
    order.rejections = isRejected ? faults : [];
    this.#account.notices.push('order_rejected');
    return [];
  }

  #amend({ orderId, price, size = null }: AmendCommand): readonly string[] {
    const order = this.#account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final'];
    const pair = this.#tools.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    const whole = size ?? order.size;
    const faults = inputFaults({ side: order.side, leverage: order.leverage, size: whole as never }, pair);
    if (isOffGrid(price, pair)) faults.push('order_price_invalid');
    faults.push(...sizeFaults(price, whole, order.leverage));
    if (faults.length > 0) return faults;
    if (whole <= order.filled) return ['order_final'];
    const released = order.reserved > 0n;
    const status = order.status;
    // For its own check it does not wait.
    order.reserved = 0n;
    order.status = 'CANCELED';
    const input: NetOrder = {
      ...{
        pair,
        side: order.side,
        size: whole - order.filled,
        leverage: order.leverage,
        limit: price,
        order,
      },
      ...protectionOf(order, netOf(this.#account, order.symbol)),
      ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly, quoteId: null },
    };
    const placed = new NetJudge(
      this.#tools,
      this.#account,
      this.#instant,
      released ? this.#ids.slice(1) : this.#ids,
    ).#put(input);
    if (placed.faults.length > 0) return placed.faults;
    order.status = status;
    order.price = price;
    order.size = whole;
    this.#tools.touch(order);
    this.#keep(order, placed);
    if (placed.position) this.#account.notices.push('order_filled');
    return [];
  }

  #freeMargin(position: AuditedPosition, leverage: number): bigint {
    const price = this.#instant.quote(position.symbol)?.price ?? position.entry;
    const worth = inUnits(times(units(price), units(position.size)));
    const value = position.value ?? 0n;
    const pnl = position.side === 'BUY' ? worth - value : value - worth;
    const initial = marginOn(value, leverage);
    return position.margin + (pnl < 0n ? pnl : 0n) - (initial === 0n ? 1n : initial);
  }

  #move(position: AuditedPosition, pair: AuditedPair, amount: bigint): void {
    position.margin += amount;
    position.liquidation = netLiquidation({ ...position, value: position.value ?? 0n }, pair);
    position.isWarned = false;
    this.#tools.touch(position);
  }

  #setLeverage(symbol: string, leverage: number): readonly string[] {
    const pair = this.#tools.pairOf(symbol);
    if (!pair) return ['unknown_symbol'];
    if (!Number.isInteger(leverage) || leverage < 1 || leverage > 125) return ['leverage_invalid'];
    const faults = leverage > this.#account.terms.leverageMax ? ['leverage_capped'] : [];
    const waiting = waitingOf(this.#account, symbol);
    if (waiting && waiting.leverage !== leverage) faults.push('leverage_in_use');
    const position = netOf(this.#account, symbol);
    const most = mostAt(pair, leverage);
    if (most === 0n) faults.push('position_too_large');
    if (position && leverage < position.leverage) faults.push('leverage_in_use');
    if (position && leverage > position.leverage && (position.value ?? 0n) > most)
      faults.push('position_too_large');
    if (position && leverage > position.leverage) faults.push(...this.#openableFaults(symbol, null));
    if (faults.length > 0) return faults;
    if (position && leverage > position.leverage) {
      const value = position.value ?? 0n;
      const tied = marginOn(value, position.leverage) - marginOn(value, leverage);
      const freed = smaller(tied, this.#freeMargin(position, leverage));
      position.leverage = leverage;
      this.#move(position, pair, freed > 0n ? -freed : 0n);
    }
    this.#account.leverages.set(symbol, leverage);
    return [];
  }

  #adjustMargin(positionId: string, amount: bigint): readonly string[] {
    const position = this.#account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.#tools.pairOf(position.symbol);
    if (!pair) return ['unknown_symbol'];
    if (amount === 0n) return ['margin_amount_invalid'];
    if (amount > availableIn(this.#account)) return ['insufficient_balance'];
    if (amount < 0n) {
      const shut = this.#openableFaults(position.symbol, null);
      if (shut.length > 0) return shut;
      if (-amount > this.#freeMargin(position, position.leverage)) return ['margin_beyond_free'];
    }
    this.#move(position, pair, amount);
    return [];
  }
}

/** What would lock nothing at its price is no order. */
const sizeFaults = (price: bigint | null, size: bigint, leverage: number): string[] =>
  price !== null && leverage > 0 && marginOf(price, size, leverage) === 0n ? ['amount_too_small'] : [];

function orderOf(command: OpenCommand | PlaceCommand, pair: AuditedPair): Omit<NetOrder, 'limit' | 'order'> {
  return {
    ...{
      pair,
      side: command.side === 'BUY' ? 'BUY' : 'SELL',
      size: command.size,
      leverage: command.leverage,
    },
    ...{ takeProfit: command.takeProfitPrice, stopLoss: command.stopLossPrice },
    ...{ timeInForce: command.timeInForce ?? 'GTC', reduceOnly: command.reduceOnly ?? false },
    quoteId: command.quoteId ?? null,
  };
}

const newPosition = (
  { terms }: AuditedAccount,
  symbol: string,
  side: AuditedSide,
  leverage: number,
  createdAt: number,
  id: string | null,
): AuditedPosition => ({
  ...{ id, symbol, side, leverage, createdAt, entry: 0n, size: 0n, value: 0n, margin: 0n, liquidation: 0n },
  ...{
    takeProfit: null,
    stopLoss: null,
    initialStopLoss: null,
    rules: terms.rules,
    feeRate: terms.feeRate,
    fees: 0n,
  },
  ...{
    splitFrom: null,
    isWarned: false,
    isLeaving: false,
    editedAt: null,
    closing: null,
    version: 0,
    accountVersion: 0,
  },
});

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
