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
  isFollowed,
  isLimited,
  isTriggered,
  isWaitingForTrigger,
  netPlacementFaults,
} from './audited-conditions.ts';
import { costAt, dueInstants } from './audited-funding.ts';
import { costsUntil, fullFaults, lockedFaults, ownFaults, retainsFirstStop } from './audited-limits.ts';
import { type AuditedPair, type AuditedQuote, inputFaults, isOffGrid } from './audited-market.ts';
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
const ofCrypto: readonly Bracket[] = [
  [50_000n, 125, 40n, 0n],
  [250_000n, 100, 50n, 50n],
  [1_000_000n, 50, 100n, 1_300n],
  [10_000_000n, 20, 250n, 16_300n],
  [20_000_000n, 10, 500n, 266_300n],
  [50_000_000n, 5, 1_000n, 1_266_300n],
  [100_000_000n, 4, 1_250n, 2_516_300n],
  [200_000_000n, 3, 1_500n, 5_016_300n],
  [500_000_000n, 2, 2_500n, 25_016_300n],
];
const ofForex: readonly Bracket[] = [
  [250_000n, 125, 30n, 0n],
  [1_000_000n, 100, 50n, 500n],
  [5_000_000n, 50, 100n, 5_500n],
  [25_000_000n, 20, 250n, 80_500n],
  [100_000_000n, 10, 500n, 705_500n],
  [500_000_000n, 5, 1_000n, 5_705_500n],
];
const ofStocks: readonly Bracket[] = [
  [50_000n, 50, 100n, 0n],
  [250_000n, 25, 200n, 500n],
  [1_000_000n, 20, 250n, 1_750n],
  [5_000_000n, 10, 500n, 26_750n],
  [20_000_000n, 5, 1_000n, 276_750n],
  [100_000_000n, 2, 2_500n, 3_276_750n],
];
const ofCommodities: readonly Bracket[] = [
  [100_000n, 100, 50n, 0n],
  [500_000n, 50, 100n, 500n],
  [2_000_000n, 20, 250n, 8_000n],
  [10_000_000n, 10, 500n, 58_000n],
  [50_000_000n, 5, 1_000n, 558_000n],
  [200_000_000n, 2, 2_500n, 8_058_000n],
];
const brackets: Readonly<Record<string, readonly Bracket[]>> = {
  ...{ crypto: ofCrypto, forex: ofForex, stock: ofStocks, commodity: ofCommodities, index: ofCommodities },
};
const bracketsOf = ({ type }: Pick<AuditedPair, 'type'>): readonly Bracket[] => brackets[type] ?? [];
function bracketOf(value: bigint, pair: Pick<AuditedPair, 'type'>): Bracket {
  const known = bracketsOf(pair);
  const found = known.find(([cap]) => value <= cap * WHOLE) ?? known.at(-1);
  if (!found) throw new RangeError('no brackets');
  return found;
}
/** The greatest value of a position at this leverage; zero for a leverage that the market does not have. */
const mostAt = (pair: AuditedPair, leverage: number): bigint =>
  (bracketsOf(pair).findLast(([, times]) => leverage <= times)?.[0] ?? 0n) * WHOLE;

/** Maker and taker in 1e-8, and the latency in ms. */
const profiles = {
  ideal: { maker: 0n, taker: 0n, latency: 0 },
  retail: { maker: 40_000n, taker: 60_000n, latency: 150 },
  pro: { maker: 20_000n, taker: 50_000n, latency: 0 },
  stress: { maker: 20_000n, taker: 50_000n, latency: 500 },
} as const;
export const netFees = profiles.pro;
function profileOf({ terms: { fillProfile = '' } }: Pick<AuditedAccount, 'terms'>) {
  const known = Object.entries(profiles).find(([name]) => name === fillProfile);
  if (!known) throw new RangeError(`no profile ${fillProfile}`);
  return known[1];
}
const feeOn = (value: bigint, rate: bigint): bigint => inUnits(times(units(value), units(rate)));
const marginOn = (value: bigint, leverage: number): bigint => wholeBelow(ratio(value, BigInt(leverage)));
export const entryOf = (value: bigint, size: bigint): bigint => inUnits(over(units(value), units(size)));

/** Margin + result = maintenance: BUY M + (qP - V) = r q P - c, SELL M + (V - qP) = r q P - c; to the tick towards the entry. */
export function netLiquidation(
  { side, size, value, margin }: { side: AuditedSide; size: bigint; value: bigint; margin: bigint },
  pair: Pick<AuditedPair, 'type' | 'tickSize'>,
): bigint {
  const [, , points, off] = bracketOf(value, pair);
  const tick = pair.tickSize;
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
  account.orders.find(
    (order) => order.symbol === symbol && isOrderWaiting(order) && !isWaitingForTrigger(order),
  );
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
  /** The middle of the market when it arrived, of one whose latency is over. */
  readonly arrival?: bigint | null;
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
  /** Of the account as it was before the command. */
  #own: readonly string[];

  constructor(tools: NetTools, account: AuditedAccount, instant: NetInstant, ids: readonly string[]) {
    this.#tools = tools;
    this.#account = account;
    this.#instant = instant;
    this.#ids = ids;
    this.#own = this.#ownFaults(null);
  }

  #ownFaults(order: AuditedOrder | null): readonly string[] {
    const { at } = this.#instant;
    return ownFaults(this.#account, at, (symbol) => this.#instant.quote(symbol)?.price, order);
  }

  #limitFaults(symbol: string): readonly string[] {
    return [...lockedFaults(this.#account, symbol, this.#instant.at), ...this.#own];
  }

  /** Null: the command is decided as in any account. */
  judge(command: Command): readonly string[] | null {
    if (this.#isInTransit(command)) return ['in_transit'];
    switch (command.kind) {
      case 'open':
        return this.#open(command);
      case 'place':
        // Without one an order has the leverage of its symbol.
        return this.#place({
          ...command,
          leverage: command.leverage ?? leverageOf(this.#account, command.symbol),
        });
      case 'fill':
        this.#own = this.#ownFaults(this.#account.orders.find(({ id }) => id === command.orderId) ?? null);
        return this.#fill(command.orderId, command.price);
      case 'amend':
        return this.#amend(command);
      case 'expire': {
        const order = this.#account.orders.find(({ id }) => id === command.orderId);
        if (!order) return ['order_not_found'];
        if (!isOrderWaiting(order)) return ['order_final', 'order_not_found'];
        if (order.endsAt === null || this.#instant.at < order.endsAt) return ['not_crossed'];
        this.#tools.touch(order);
        return this.#end(order, []);
      }
      case 'follow': {
        const order = this.#account.orders.find(({ id }) => id === command.orderId);
        if (!order) return ['order_not_found'];
        if (!isFollowed(order, command.price)) return ['not_crossed'];
        order.peak = command.price;
        this.#tools.touch(order);
        return [];
      }
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
            ...(command.arrivalPrice !== undefined && { arrivalPrice: command.arrivalPrice }),
            timeInForce: 'FOK',
          },
          ...{ takeProfitPrice: null, stopLossPrice: null },
        });
      }
      case 'set_leverage':
        return this.#setLeverage(command.symbol, command.leverage);
      case 'adjust_margin':
        return this.#adjustMargin(command.positionId, command.amount);
      case 'fund':
        return this.#fund(command.positionId);
      case 'edit':
        return ['net_position_fixed'];
      default:
        return null;
    }
  }

  /** A click, an amendment, or the cancellation of an order on its way, while the market trades. */
  #isInTransit(command: Command): boolean {
    if ('arrivalPrice' in command && command.arrivalPrice !== undefined) return false;
    let symbol: string | undefined;
    if (command.kind === 'open') symbol = command.symbol;
    else if (command.kind === 'close' || command.kind === 'reverse') {
      const { positionId } = command;
      symbol = this.#account.positions.find(({ id, closing }) => id === positionId && !closing)?.symbol;
    } else if (command.kind === 'amend' || command.kind === 'cancel') {
      const order = this.#account.orders.find(({ id }) => id === command.orderId);
      const isResting = order && isOrderWaiting(order) && !isWaitingForTrigger(order);
      if (isResting && (command.kind === 'amend' || order.dueAt !== null)) symbol = order.symbol;
    }
    return symbol !== undefined && this.#arrivalAt(symbol) !== null;
  }

  /** The middle of the market that a trade meets as it arrives; null where it is decided at once. */
  #arrivalAt(symbol: string): bigint | null {
    if (profileOf(this.#account).latency === 0 || !this.#tools.pairOf(symbol)) return null;
    const book = this.#instant.book(symbol);
    return book && this.#openableFaults(symbol, null).length === 0 ? book.mid : null;
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

  #termFaults(order: NetOrder): string[] {
    const { pair, side, leverage, reduceOnly } = order;
    const faults = [...this.#leverageFaults(pair.symbol, leverage), ...this.#protectionFaults(order)];
    const isAlone = againstOf(netOf(this.#account, pair.symbol), side) === 0n;
    if (isAlone && reduceOnly) faults.push('nothing_to_reduce');
    if (isAlone && this.#account.isRestricted) faults.push('account_restricted');
    if (isAlone && !reduceOnly) faults.push(...this.#limitFaults(pair.symbol));
    return faults;
  }

  #open(command: OpenCommand): readonly string[] {
    const pair = this.#tools.pairOf(command.symbol);
    const malformed = inputFaults(command, pair);
    if (malformed.length > 0 || !pair) return malformed;
    const faults = this.#openableFaults(pair.symbol, command.expectedPrice);
    if (faults.length > 0) return faults;
    const arrival = command.arrivalPrice ?? null;
    const placed = this.#put({ ...orderOf(command, pair), limit: null, order: null, arrival });
    if (placed.position) return placed.faults;
    return placed.faults.length > 0 && !this.#account.isRestricted
      ? placed.faults
      : [...placed.faults, 'order_not_fillable'];
  }

  #place(command: PlaceCommand): readonly string[] {
    const pair = this.#tools.pairOf(command.symbol);
    const malformed = netPlacementFaults(command, pair, this.#instant.at);
    if (isLimited(command.type)) malformed.push(...sizeFaults(command.price, command.size, command.leverage));
    if (malformed.length > 0 || !pair) return malformed;
    const { closePosition: closes = false, boundPositionId = null } = command;
    const held = netOf(this.#account, pair.symbol);
    const isOfPosition = closes || boundPositionId !== null;
    const stated = orderOf(command, pair);
    const alien: string[] = [];
    if (boundPositionId !== null && held?.id !== boundPositionId) alien.push('position_not_found');
    if (isOfPosition && againstOf(held, stated.side) === 0n) alien.push('nothing_to_reduce');
    if (alien.length > 0 && !command.keepRejected) return alien;
    const limit = isLimited(command.type) ? command.price : null;
    const input = { ...stated, reduceOnly: stated.reduceOnly || isOfPosition };
    const order: AuditedOrder = {
      ...{ id: this.#ids[0] ?? null, symbol: pair.symbol, type: command.type, side: input.side },
      ...{ price: command.price, size: command.size, leverage: command.leverage, clientId: command.clientId },
      ...{
        takeProfit: input.takeProfit,
        stopLoss: input.stopLoss,
        reserved: 0n,
        status: 'NEW',
        rejections: [],
      },
      ...{ timeInForce: input.timeInForce, reduceOnly: input.reduceOnly, filled: 0n, filledValue: 0n },
      ...{ trigger: command.triggerPrice ?? null, trail: command.trailRate ?? null, peak: null, closes },
      ...{ triggeredAt: null, endsAt: command.expiresAt ?? null, isNet: true },
      ...{ dueAt: null, arrival: null, quoteId: null },
      boundTo: isOfPosition && held && alien.length === 0 ? held : null,
      ...{ position: null, createdAt: this.#instant.at, version: 0, accountVersion: 0 },
    };
    const moved =
      command.type === 'MARKET' && command.price !== null
        ? this.#openableFaults(pair.symbol, command.price)
        : [];
    const undo = this.#remember();
    const arrival = isWaitingForTrigger(order) ? null : this.#arrivalAt(pair.symbol);
    const tried = isWaitingForTrigger(order)
      ? this.#queue({ ...input, limit, order }, order)
      : arrival === null
        ? this.#put({ ...input, limit, order })
        : this.#arrive({ ...input, limit, order }, order, arrival);
    const before = [...alien, ...moved];
    const placed = before.length > 0 ? refused(...before, ...tried.faults) : tried;
    if (placed.faults.length > 0 && !command.keepRejected) return placed.faults;
    if (placed.faults.length > 0) {
      // As if it had never been tried.
      undo();
      const nothing = { dueAt: null, arrival: null, quoteId: null, peak: null };
      Object.assign(order, nothing, { status: 'REJECTED', rejections: placed.faults });
      this.#account.orders.push(order);
      this.#account.notices.push('order_rejected');
      this.#tools.touch(order);
      return [];
    }
    this.#account.orders.push(order);
    this.#tools.touch(order);
    if (!isWaitingForTrigger(order) && order.dueAt === null) this.#keep(order, placed);
    if (placed.position) this.#account.notices.push('order_filled');
    return [];
  }

  /** It is to wait for its trigger, which the market must not have reached, and is judged as far as it can be by now. */
  #queue(input: NetOrder, order: AuditedOrder): Placed {
    const account = this.#account;
    const { pair, side, leverage, limit } = input;
    const { symbol } = pair;
    const faults = this.#termFaults({ ...input, limit: limit ?? order.trigger });
    const isRival = (other: AuditedOrder) =>
      other !== order && other.symbol === symbol && other.side === side && other.type === order.type;
    if (
      order.closes &&
      account.orders.some((other) => other.closes && isOrderWaiting(other) && isRival(other))
    )
      faults.push('close_order_exists');
    const quote = this.#instant.quote(symbol);
    const mark = quote && this.#openableFaults(symbol, null).length === 0 ? quote.price : null;
    if (mark !== null && isTriggered({ ...order, peak: null }, mark)) faults.push('trigger_reached');
    if (faults.length > 0) return refused(...faults);
    account.leverages.set(symbol, leverage);
    if (order.peak === null && mark !== null && isFollowed(order, mark)) order.peak = mark;
    return { ...refused(), waits: true };
  }

  /** It is to be filled once its latency is over; only what nobody could fill is refused by now. */
  #arrive(input: NetOrder, order: AuditedOrder, arrival: bigint): Placed {
    const { pair, leverage, quoteId } = input;
    const faults = this.#termFaults(input);
    const book = this.#instant.book(pair.symbol);
    const { at } = this.#instant;
    if (book && quoteId !== null && isQuoteGone(quoteId, this.#account, pair.symbol, book, at))
      faults.push('quote_changed');
    if (faults.length > 0) return refused(...faults);
    this.#account.leverages.set(pair.symbol, leverage);
    Object.assign(order, { dueAt: at + profileOf(this.#account).latency, arrival, quoteId });
    return { ...refused(), waits: true };
  }

  /** Its trigger is reached, or its latency is over: it is judged as an order of now. */
  #activate(order: AuditedOrder): readonly string[] {
    const { symbol, side } = order;
    const pair = this.#tools.pairOf(symbol);
    const shut = pair ? this.#openableFaults(symbol, null) : ['unknown_symbol'];
    if (!this.#instant.book(symbol)) shut.push('no_quote');
    if (!pair || shut.length > 0) {
      const { timeInForce, dueAt, type } = order;
      const canWait = isLimited(type) && timeInForce !== 'IOC' && timeInForce !== 'FOK';
      const isLate = shut.includes('market_closed') || (dueAt !== null && this.#instant.at >= dueAt + 30_000);
      if (dueAt === null || canWait || !isLate) return ['not_crossed'];
      this.#tools.touch(order);
      return this.#end(order, shut);
    }
    const size = order.closes ? againstOf(netOf(this.#account, symbol), side) : order.size;
    this.#tools.touch(order);
    if (size === 0n) return this.#end(order, []);
    const isConditional = isWaitingForTrigger(order);
    const { arrival, quoteId } = order;
    const begun = {
      ...{ size, dueAt: null, arrival: null, quoteId: null },
      leverage: isConditional ? leverageOf(this.#account, symbol) : order.leverage,
      triggeredAt: isConditional ? this.#instant.at : order.triggeredAt,
    };
    const moved =
      order.type === 'MARKET' && order.price !== null ? this.#openableFaults(symbol, order.price) : [];
    const undo = this.#remember();
    const at = this.#account.orders.indexOf(order);
    // For its own check it does not wait.
    Object.assign(order, begun, { status: 'CANCELED' });
    const tried = this.#put({
      ...{
        pair,
        side,
        size,
        leverage: begun.leverage,
        arrival,
        limit: isLimited(order.type) ? order.price : null,
      },
      ...{ takeProfit: order.takeProfit, stopLoss: order.stopLoss, timeInForce: order.timeInForce },
      ...{ reduceOnly: order.reduceOnly, quoteId, order },
    });
    const placed = moved.length > 0 ? refused(...moved, ...tried.faults) : tried;
    if (placed.faults.length > 0) {
      undo();
      const same = this.#account.orders[at];
      if (!same) throw new RangeError('the order is gone');
      Object.assign(same, begun);
      this.#tools.touch(same);
      return this.#end(same, placed.faults);
    }
    order.status = 'NEW';
    this.#keep(order, placed);
    if (placed.position) this.#account.notices.push('order_filled');
    else if ((order.status as string) === 'EXPIRED') this.#account.notices.push('order_rejected');
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
    const faults = this.#termFaults(order);
    const barred = new Set(['account_restricted', ...this.#limitFaults(order.pair.symbol)]);
    if (faults.some((fault) => !barred.has(fault))) return refused(...faults);
    const placed = this.#take(order);
    // What else is wrong with it is a reason as well.
    return faults.length > 0 ? { ...placed, faults: [...faults, ...placed.faults] } : placed;
  }

  #take(order: NetOrder): Placed {
    const account = this.#account;
    const { pair, side, limit, size, timeInForce, leverage } = order;
    const { symbol } = pair;
    const canWait = limit !== null && timeInForce !== 'IOC' && timeInForce !== 'FOK';
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
              rate: profileOf(account).taker,
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
    const isOver = order.reduceOnly && againstOf(netOf(account, symbol), side) === 0n;
    const waits = left > 0n && canWait && !isOver;
    const reserved = waits && limit !== null ? this.#reserve(order, left, limit) : 0n;
    if (availableIn(account) - reserved < 0n) return refused('insufficient_balance');
    return { faults: [], filled, position, reserved, left, waits };
  }

  /** Margin and fee of what would open, after what others of its side already take off the position. */
  #reserve({ pair, side, leverage, reduceOnly, order }: NetOrder, size: bigint, price: bigint): bigint {
    if (reduceOnly) return 0n;
    let free = againstOf(netOf(this.#account, pair.symbol), side);
    for (const rival of this.#account.orders) {
      if (rival === order || rival.symbol !== pair.symbol || rival.side !== side) continue;
      if (!isOrderWaiting(rival) || isWaitingForTrigger(rival)) continue;
      free -= rival.size - rival.filled;
    }
    const opens = size - (free > 0n ? free : 0n);
    if (opens <= 0n) return 0n;
    const value = inUnits(times(units(price), units(opens)));
    return marginOn(value, leverage) + feeOn(value, profileOf(this.#account).taker);
  }

  #trade(
    { pair, side, leverage, takeProfit, stopLoss, order, arrival = null }: NetOrder,
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
      const isFurther = before === undefined || closes > 0n;
      const limited = [...this.#limitFaults(pair.symbol), ...(isFurther ? fullFaults(account) : [])];
      if (account.isRestricted) limited.push('account_restricted');
      if (limited.length > 0) return { faults: limited, position: null };
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
      if (!target || !retainsFirstStop(account)) opened.initialStopLoss ??= opened.stopLoss;
      opened.isWarned = false;
      opened.fees += charged;
      this.#tools.touch(opened);
      this.#tools.charge(account, charged);
      fee += charged;
    }
    const of = opened ?? closed;
    if (!of) throw new RangeError('a trade of nothing');
    const fill: AuditedFill = {
      ...{ side, size, price, value, fee, pnl, of, by: order, at, quoteId: how.quoteId },
      ...movedSince(arrival, side, how.mid),
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
    if (order.endsAt !== null && this.#instant.at >= order.endsAt) {
      this.#tools.touch(order);
      return this.#end(order, []);
    }
    if (isWaitingForTrigger(order))
      return tick !== null && isTriggered(order, tick) ? this.#activate(order) : ['not_crossed'];
    if (order.dueAt !== null) return this.#instant.at < order.dueAt ? ['not_crossed'] : this.#activate(order);
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
      rate: profileOf(account).maker,
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
    // The position may have ended with it, and what is bound to that.
    const isOver = order.boundTo !== null && order.boundTo.closing !== null;
    order.status = order.filled === order.size ? 'FILLED' : isOver ? 'EXPIRED' : 'PARTIALLY_FILLED';
    if (order.status === 'EXPIRED') order.reserved = 0n;
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

  #amend({
    orderId,
    price,
    size = null,
    triggerPrice = null,
    arrivalPrice,
  }: AmendCommand): readonly string[] {
    const order = this.#account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final'];
    const pair = this.#tools.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    if (order.endsAt !== null && this.#instant.at >= order.endsAt) {
      this.#tools.touch(order);
      return this.#end(order, []);
    }
    if (order.type === 'MARKET' || order.type === 'TRAILING_STOP_MARKET') return ['order_type_invalid'];
    const whole = order.closes ? 0n : (size ?? order.size);
    const asked = inputFaults({ side: order.side, leverage: order.leverage, size: whole as never }, pair);
    const faults = order.closes ? asked.filter((fault) => fault !== 'amount_out_of_range') : asked;
    const isTrigger = !isLimited(order.type);
    if (isOffGrid(price, pair)) faults.push(isTrigger ? 'trigger_price_invalid' : 'order_price_invalid');
    if (!isTrigger) faults.push(...sizeFaults(price, whole, order.leverage));
    if (isWaitingForTrigger(order)) {
      const trigger = isTrigger ? price : (triggerPrice ?? order.trigger);
      if (trigger !== null && isOffGrid(trigger, pair)) faults.push('trigger_price_invalid');
      if (faults.length > 0) return faults;
      const amended = { ...order, trigger, price: isTrigger ? null : price, size: whole };
      const queued = this.#queue(
        {
          ...{
            pair,
            side: order.side,
            size: whole,
            leverage: leverageOf(this.#account, order.symbol),
            order,
          },
          ...{ limit: amended.price, takeProfit: order.takeProfit, stopLoss: order.stopLoss, quoteId: null },
          ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly },
        },
        // The same order, as far as others are concerned.
        Object.assign(order, { trigger, price: amended.price, size: whole }),
      );
      if (queued.faults.length > 0) return queued.faults;
      this.#tools.touch(order);
      return [];
    }
    if (faults.length > 0) return faults;
    if (whole <= order.filled) return ['order_final'];
    if (order.dueAt !== null) {
      Object.assign(order, { price, size: whole });
      this.#tools.touch(order);
      return [];
    }
    const released = order.reserved > 0n;
    const status = order.status;
    // For its own check it does not wait.
    order.reserved = 0n;
    order.status = 'CANCELED';
    const input: NetOrder = {
      arrival: arrivalPrice ?? null,
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

  #due(position: AuditedPosition): readonly number[] {
    const { symbol } = position;
    const until = costsUntil(this.#account, this.#instant.at);
    return dueInstants(position, this.#tools.pairOf(symbol), this.#instant.quote(symbol), until);
  }

  /** Whether the account owes or is owed something, which comes before every other command. */
  get isFundingDue(): boolean {
    return this.#account.positions.some((position) => this.#due(position).length > 0);
  }

  #fund(positionId: string): readonly string[] {
    const account = this.#account;
    const position = account.positions.find(({ id }) => id === positionId);
    if (!position || position.closing) return ['position_not_found', 'position_closed'];
    const due = this.#due(position);
    const pair = this.#tools.pairOf(position.symbol);
    const price = this.#instant.quote(position.symbol)?.price;
    if (due.length === 0 || !pair || price === undefined) return ['not_due'];
    for (const dueAt of due) {
      const cost = costAt(position, pair, price, dueAt);
      // First the cash, then the margin down to its last unit; what is left of the cost nobody pays.
      const [fromCash, fromMargin] = [availableIn(account), position.margin - 1n];
      const booked = -smaller(-cost, fromCash + fromMargin);
      const taken = -booked - fromCash;
      account.balance += booked;
      this.#tools.house.funding -= booked;
      position.funding += booked;
      position.fundedAt = dueAt;
      if (booked !== 0n) {
        const type = pair.type === 'crypto' ? 'funding' : 'financing';
        account.lines.push({ type, amount: booked, of: null });
      }
      if (taken > 0n) this.#move(position, pair, -taken);
    }
    this.#tools.touch(position);
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
    funding: 0n,
    fundedAt: null,
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
