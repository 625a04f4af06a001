/**
 * Shared set-up of the engine's tests: two pairs, a market in one line, commands with defaults, and an account that
 * applies accepted decisions as the engine does after a commit. Not part of the package's index.
 */

import type { AccountTerms } from '../src/accounts.ts';
import type {
  AdjustCommand,
  AmendCommand,
  CancelCommand,
  CloseCommand,
  Command,
  Context,
  Decision,
  EditCommand,
  MarketView,
  OpenCommand,
  PlaceCommand,
  PositionEdit,
  ProtectCommand,
  Quote,
} from '../src/engine/commands.ts';
import { decide } from '../src/engine/decide.ts';
import type { Effects, Execution, LedgerGroup, Notification, Transaction } from '../src/engine/effects.ts';
import { nextOwnDay } from '../src/engine/own-limits.ts';
import { isExhausted } from '../src/engine/settlement.ts';
import type { Account, Order, Position, Refusal, Wallet } from '../src/engine/types.ts';
import { MAX_LEVERAGE } from '../src/margin.ts';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type FeeRate,
  type Money,
  NO_FEE,
  NO_MONEY,
  type Price,
  parseDecimal,
  type Size,
} from '../src/money.ts';
import type { OwnStanding } from '../src/own-limits.ts';
import type { TradingPair } from '../src/pairs.ts';
import type { OwnTrade, QuotedBook } from '../src/perpetual/book.ts';
import { NET_LEVERAGE } from '../src/perpetual/net-position.ts';
import { isWaiting } from '../src/states.ts';

export const money = (text: string): Money => asMoney(parseDecimal(text));
export const price = (text: string): Price => asPrice(parseDecimal(text));
export const size = (text: string): Size => asSize(parseDecimal(text));
/** A fraction: 0.06 % is `'0.0006'`. */
export const feeRate = (text: string): FeeRate => asFeeRate(parseDecimal(text));

export const pair: TradingPair = {
  id: 'BTCUSDT',
  symbol: 'BTCUSDT',
  name: 'Bitcoin',
  nickname: null,
  type: 'crypto',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  minPrice: price('0.01'),
  maxPrice: price('1000000'),
  tickSize: price('0.01'),
  minQty: size('0.001'),
  maxQty: size('1000'),
  stepSize: size('0.001'),
  tradingHours: '24/7',
  sortOrder: 0,
};
/** Whole ticks and a minimum of several steps. */
export const coarsePair: TradingPair = {
  ...pair,
  id: 'COARSE',
  symbol: 'COARSE',
  type: 'commodity',
  tickSize: price('1'),
  minPrice: price('1'),
  minQty: size('5'),
  stepSize: size('1'),
};
/** As `pair`, for positions that must not meet the other side of one symbol (A111). */
export const otherPair: TradingPair = { ...pair, id: 'ETHUSDT', symbol: 'ETHUSDT', name: 'Ether' };
const pairs: ReadonlyMap<string, TradingPair> = new Map(
  [pair, coarsePair, otherPair].map((one) => [one.symbol, one]),
);

const trading = { stale: false, held: false, marketOpen: true };

/**
 * A market by symbol; a symbol that is absent or null never had a price. Without `marketOpen`, `stale` and `held` it
 * trades.
 */
export const marketOf = (
  quotes: Readonly<Record<string, (Partial<Quote> & Pick<Quote, 'price'>) | null>>,
): MarketView => ({
  pair: (symbol) => pairs.get(symbol),
  quote: (symbol) => {
    const quote = quotes[symbol];
    return quote ? { ...trading, ...quote } : undefined;
  },
});

/** A newer price is held, which makes the last one stale as well (A110). */
export const held: Partial<Quote> = { held: true, stale: true };

let made = 0;
/**
 * Later than every context before. `quote` is that of every symbol: a text is the price of a fresh one in an open
 * market, null is no price. A left-out quote is a fresh 100 in an open market.
 */
export function contextAt(quote: string | Partial<Quote> | null = {}, more: Partial<Context> = {}): Context {
  made += 1;
  const given = typeof quote === 'string' ? { price: price(quote) } : quote;
  return {
    now: 1_000_000 + made,
    market: {
      pair: (symbol) => pairs.get(symbol),
      quote: () => (given ? { price: price('100'), ...trading, ...given } : undefined),
    },
    rules: 'standard',
    feeRate: NO_FEE,
    leverageMax: MAX_LEVERAGE,
    fillProfile: 'exact',
    priceTolerance: asPercent(parseDecimal('0.5')),
    newId: () => {
      made += 1;
      return `id-${made}`;
    },
    ...more,
  };
}

/** An account that applies every accepted decision at once and records the written effects in order. */
export class Book implements Account {
  wallet: Wallet;
  /** Those of the context of the last decision. */
  terms: AccountTerms = contextAt();
  own: OwnStanding | null = null;
  restricted = false;
  deleted = false;
  readonly leverages = new Map<string, number>();
  readonly positions = new Map<string, Position>();
  readonly orders = new Map<string, Order>();
  readonly executions: Execution[] = [];
  readonly ledger: LedgerGroup[] = [];
  readonly transactions: Transaction[] = [];
  readonly notifications: Notification[] = [];

  /** The start balance is booked as a deposit, so that lines and ledger add up to the balance from the start. */
  constructor(available: string, accountId = 'trader') {
    const amount = money(available);
    this.wallet = {
      id: `wallet of ${accountId}`,
      accountId,
      available: amount,
      margin: NO_MONEY,
      orderMargin: NO_MONEY,
      version: 0,
    };
    if (amount === 0n) return;
    const id = `start of ${accountId}`;
    this.ledger.push({
      id,
      kind: 'deposit',
      sourceId: id,
      entries: [
        { account: 'user:cash', amount },
        { account: 'external', amount: asMoney(-amount) },
      ],
    });
    this.transactions.push({ id, type: 'deposit', amount, description: 'Initial balance' });
  }

  position(id: string): Position | undefined {
    return this.positions.get(id);
  }
  order(id: string): Order | undefined {
    return this.orders.get(id);
  }
  openPositions(): readonly Position[] {
    return [...this.positions.values()].filter(({ closing }) => closing === null);
  }
  openOrders(): readonly Order[] {
    return [...this.orders.values()].filter(({ status }) => isWaiting(status));
  }
  /** Walks all positions on every call. */
  holdsBothSides(symbol: string): boolean {
    const sides = this.openPositions().filter((position) => position.symbol === symbol);
    return new Set(sides.map(({ side }) => side)).size === 2;
  }
  exhaustedAt(symbol: string, mark: Price): readonly Position[] {
    if (!this.holdsBothSides(symbol)) return [];
    return this.openPositions().filter(
      (position) => position.symbol === symbol && isExhausted(position, mark),
    );
  }

  leverageOf(symbol: string): number {
    return this.leverages.get(symbol) ?? NET_LEVERAGE;
  }
  readonly trades: (OwnTrade & { readonly symbol: string })[] = [];
  ownTrades(symbol: string): readonly OwnTrade[] {
    return this.trades.filter((trade) => trade.symbol === symbol).reverse();
  }

  get openPositionCount(): number {
    return this.openPositions().length;
  }
  get openOrderCount(): number {
    return this.openOrders().length;
  }

  /** `at`: the time of the decision. */
  take(effects: Effects, at = 0): void {
    if (this.own) this.own = { ...this.own, day: nextOwnDay(this.own.day, effects, at) };
    this.wallet = effects.wallet;
    for (const { after } of effects.positions) this.positions.set(after.id, after);
    for (const { after } of effects.orders) this.orders.set(after.id, after);
    this.executions.push(...effects.executions);
    for (const { symbol, side, size, liquidity } of effects.executions) {
      this.trades.push({ symbol, side, size, isMaker: liquidity === 'maker', at });
    }
    if (effects.leverage) this.leverages.set(effects.leverage.symbol, effects.leverage.leverage);
    this.ledger.push(...effects.ledger);
    this.transactions.push(...effects.transactions);
    for (const { positionId, amount } of effects.amended) this.#amend(positionId, amount);
    this.notifications.push(...effects.notifications);
    this.restricted = effects.restricted ?? this.restricted;
    this.deleted ||= effects.deletes;
  }
  /** As the store does: the line is the one with the id of the ledger group that closed the position (A11). */
  #amend(positionId: string, amount: Money): void {
    const group = this.ledger.find(({ kind, sourceId }) => kind === 'close' && sourceId === positionId);
    const index = this.transactions.findIndex(({ id }) => id === group?.id);
    const line = this.transactions[index];
    if (!line) throw new Error(`no line of position ${positionId}`);
    this.transactions[index] = { ...line, amount };
  }

  /** Decides under the terms of the context, and applies nothing. */
  decide(command: Command, context: Context): Decision {
    this.terms = context;
    return decide(this, command, context);
  }
  /** Decides and applies; a refusal fails the test. */
  accept(command: Command, context: Context = contextAt()): Accepted {
    const decision = this.decide(command, context);
    if (decision.outcome === 'refused') throw new Error(`refused: ${decision.refusal.code}`);
    this.take(decision.effects, context.now);
    return decision;
  }
  /** The next state of the position of an accepted command. */
  acceptPosition(command: Command, context: Context = contextAt()): Position {
    const { subject } = this.accept(command, context);
    if (subject.kind !== 'position') throw new Error(`about ${subject.kind}, not a position`);
    return subject.position;
  }
  /** The next state of the order of an accepted command. */
  acceptOrder(command: Command, context: Context = contextAt()): Order {
    const { subject } = this.accept(command, context);
    if (subject.kind !== 'order') throw new Error(`about ${subject.kind}, not an order`);
    return subject.order;
  }
  /** Why a command is refused, or null. Applies nothing. */
  refusal(command: Command, context: Context = contextAt()): Refusal | null {
    const decision = this.decide(command, context);
    return decision.outcome === 'refused' ? decision.refusal : null;
  }
}
export type Accepted = Extract<Decision, { outcome: 'accepted' }>;

/** BUY 1 at leverage 10 of `pair`, without protection. */
export const open = (more: Partial<OpenCommand> = {}): OpenCommand => ({
  kind: 'open',
  symbol: pair.symbol,
  side: 'BUY',
  size: size('1'),
  leverage: 10,
  expectedPrice: null,
  takeProfitPrice: null,
  stopLossPrice: null,
  ...more,
});
/** LIMIT BUY 1 at 100 and leverage 10 of `pair`, without protection. */
export const place = (more: Partial<PlaceCommand> = {}): PlaceCommand => ({
  kind: 'place',
  symbol: pair.symbol,
  type: 'LIMIT',
  side: 'BUY',
  price: price('100'),
  size: size('1'),
  leverage: 10,
  takeProfitPrice: null,
  stopLossPrice: null,
  clientId: null,
  keepRejected: false,
  ...more,
});
export const cancel = (orderId: string): CancelCommand => ({ kind: 'cancel', orderId });
export const amend = (orderId: string, to: string | Price): AmendCommand => ({
  kind: 'amend',
  orderId,
  price: typeof to === 'string' ? price(to) : to,
});
export const protect = (
  positionId: string,
  takeProfitPrice: Price | null | undefined,
  stopLossPrice: Price | null | undefined,
): ProtectCommand => ({ kind: 'protect', positionId, takeProfitPrice, stopLossPrice });
/** Closes the whole position by a click. */
export const close = (positionId: string, more: Partial<CloseCommand> = {}): CloseCommand => ({
  kind: 'close',
  positionId,
  size: null,
  reason: 'manual',
  ...more,
});
export const adjust = (amount: string): AdjustCommand => ({
  kind: 'adjust',
  amount: money(amount),
  reason: 'a correction',
});
export const edit = (
  positionId: string,
  changed: PositionEdit,
  more: Partial<EditCommand> = {},
): EditCommand => ({
  kind: 'edit',
  positionId,
  edit: changed,
  expectedVersion: null,
  reason: 'a correction',
  ...more,
});

/** An account of 1000 with BUY 1 at 100 and leverage 10 open: margin 10, liquidated at 90.5, 990 available. */
export function openedBook(more: Partial<OpenCommand> = {}): {
  readonly book: Book;
  readonly position: Position;
} {
  const book = new Book('1000');
  return { book, position: book.acceptPosition(open(more)) };
}
/** The same, closed at 104 for +4. */
export function closedBook(): { readonly book: Book; readonly position: Position } {
  const { book, position } = openedBook();
  return { book, position: book.acceptPosition(close(position.id), contextAt('104')) };
}

/** What the insurance has paid in all. */
export const insured = (book: Book): bigint =>
  book.ledger
    .flatMap(({ entries }) => entries)
    .reduce((sum, { account, amount }) => (account === 'insurance' ? sum - amount : sum), 0n);

/** The positions that are closed. */
export const closedOf = (book: Book) =>
  [...book.positions.values()].filter(({ closing }) => closing !== null);

/** A tick times a step is 1e-9, so that the PnL of a step is rounded. */
export const finePair: TradingPair = {
  ...pair,
  id: 'FINE',
  symbol: 'FINE',
  minPrice: asPrice(1n),
  tickSize: asPrice(1n),
  minQty: size('0.1'),
  maxQty: size('1000000'),
  stepSize: size('0.1'),
};
/** The context of `finePair` at a price. */
export const inFine = (at: string | Price, more: Partial<Context> = {}) => {
  const quote = contextAt({ price: typeof at === 'string' ? price(at) : at }).market.quote;
  return contextAt({}, { market: { pair: () => finePair, quote }, ...more });
};

/** Three levels a side around `mid`, one tick, two and five away, with sizes 1, 2 and 10. */
export const bookAt = (mid: Price, at: number): QuotedBook => {
  const side = (direction: bigint) =>
    (
      [
        [1n, '1'],
        [2n, '2'],
        [5n, '10'],
      ] as const
    ).map(([ticks, amount]) => ({
      price: asPrice(mid + direction * ticks * pair.tickSize),
      size: size(amount),
    }));
  return {
    ...{ quoteId: `q${mid}`, source: 'modelled', mid, at, minuteVolume: size('10') },
    ...{ bids: side(-1n), asks: side(1n) },
  };
};

/** As `contextAt`, of a `perpetual` account that trades on `bookAt`; null is a market without a book. */
export function netContextAt(
  quote: string | Partial<Quote> = {},
  more: Partial<Context> & { readonly book?: null } = {},
): Context {
  const { book, ...rest } = more;
  const context = contextAt(quote, { rules: 'perpetual', fillProfile: 'ideal', ...rest });
  const { market, now } = context;
  return {
    ...context,
    market: {
      ...market,
      book: (symbol) => {
        const price = market.quote(symbol)?.price;
        return price === undefined || book === null ? undefined : bookAt(price, now);
      },
    },
  };
}
