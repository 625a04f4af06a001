/**
 * Any sequence of orders, amendments, cancels, protections and ticks, beside a second, naive account: plain sums from formulas of its
 * own, no ledger, no versions. It predicts every fill, every rejection and both balances. `decide` itself asserts that each
 * decision is sound.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amend,
  Book,
  cancel,
  contextAt,
  money,
  open,
  otherPair,
  pair,
  place,
  protect,
} from '../../test/engine.ts';
import { asFeeRate, asPrice, asSize, type FeeRate, type Price, toDecimalString } from '../money.ts';
import { isLiquidated } from '../rules.ts';
import {
  balanceOf,
  type Context,
  fires,
  type Order,
  openingCost,
  orderTriggerOf,
  type PlaceCommand,
  type Position,
  triggersOf,
} from './index.ts';

const START = '200';
/** Rounded half up from the exact quotient, which is not negative. */
const rounded = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/** The naive account: one plain record per order and position. */
class Auditor {
  readonly waiting = new Map<string, bigint>();
  readonly locked = new Map<string, { margin: bigint; rate: bigint }>();
  balance: bigint = money(START);

  get available(): bigint {
    const held = [...this.waiting.values(), ...[...this.locked.values()].map(({ margin }) => margin)];
    return held.reduce((left, amount) => left - amount, this.balance);
  }
  static cost({ size, leverage }: Pick<Order, 'size' | 'leverage'>, price: Price, rate: FeeRate) {
    const margin = rounded(price * size, 100_000_000n * BigInt(leverage));
    const fee = rounded(rounded(price * size, 100_000_000n) * rate, 100_000_000n);
    return { margin, fee, total: margin + fee };
  }
  /** Where the order fills at this tick; null rejects it. */
  fillPrice(order: Order, tick: Price, rate: FeeRate): Price | null {
    const there = this.available + (this.waiting.get(order.id) ?? 0n);
    if (Auditor.cost(order, tick, rate).total <= there) return tick;
    if (order.type !== 'LIMIT' || order.price === null) return null;
    return Auditor.isEaten(order, order.price, tick, rate) ? null : order.price;
  }
  /**
   * Whether a short from `entry` has less than 5 % of its margin left one tick beyond `mark`. Then the liquidation
   * price, rounded towards the entry, is reached. Per unit of size, times 100 L and 1e8: nothing is rounded.
   */
  static isEaten({ leverage, rules }: Order, entry: Price, mark: Price, rate: FeeRate): boolean {
    const beyond = mark + pair.tickSize;
    const factor = rules === 'standard' ? 1n : BigInt(leverage);
    const lost = factor * (beyond - entry) * 100_000_000n + beyond * rate;
    return mark > entry && 100n * BigInt(leverage) * lost > 95n * entry * 100_000_000n;
  }
  open({ id, entryPrice, ...terms }: Position, rate: FeeRate): void {
    const { margin, fee } = Auditor.cost(terms, entryPrice, rate);
    this.balance -= fee;
    this.locked.set(id, { margin, rate });
  }
  close({ id, side, entryPrice, size, leverage, rules }: Position, price: Price): void {
    const { margin, rate } = this.locked.get(id) ?? { margin: 0n, rate: 0n };
    const gain = (side === 'BUY' ? price - entryPrice : entryPrice - price) * size;
    const leveraged = rules === 'standard' ? gain : gain * BigInt(leverage);
    const sign = leveraged < 0n ? -1n : 1n;
    const pnl = sign * rounded(sign * leveraged, 100_000_000n);
    const booked = pnl < -margin ? -margin : pnl;
    const due = rounded(rounded(price * size, 100_000_000n) * rate, 100_000_000n);
    this.balance += booked - (due < margin + booked ? due : margin + booked);
    this.locked.delete(id);
  }
}

// Near enough to each other that orders are reached, positions live for some ticks, and the account is often empty.
const prices = fc.bigInt({ min: 85_00n, max: 118_00n }).map((cents) => asPrice(cents * 1_000_000n));
const sizes = fc.bigInt({ min: 1n, max: 60_000n }).map((steps) => asSize(steps * 100_000n));
const leverages = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 125 }));
const rates = fc.bigInt({ min: 0n, max: 500_000n }).map(asFeeRate);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('place' as const),
    type: fc.constantFrom('LIMIT', 'STOP', 'MARKET'),
    side: fc.constantFrom('BUY', 'SELL'),
    price: prices,
    size: sizes,
    leverage: leverages,
    keepRejected: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('amend' as const), pick: fc.nat(), price: prices }),
  fc.record({
    kind: fc.constant('protect' as const),
    pick: fc.nat(),
    takeProfit: fc.option(prices, { freq: 2 }),
    stopLoss: fc.option(prices, { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('tick' as const), price: prices }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class Run {
  readonly book = new Book(START);
  readonly auditor = new Auditor();
  readonly rate: FeeRate;
  mark: Price = asPrice(100_00000000n);
  readonly #more: Partial<Context>;

  constructor(rate: FeeRate, rules: Context['rules']) {
    this.rate = rate;
    this.#more = { feeRate: rate, rules };
  }
  get context(): Context {
    return contextAt({ price: this.mark }, this.#more);
  }

  take(one: Step): void {
    switch (one.kind) {
      case 'place':
        // Each side on a symbol of its own: the two of one symbol pay for each other (A111), see `both-sides.test.ts`.
        this.#place(place({ ...one, symbol: one.side === 'BUY' ? pair.symbol : otherPair.symbol }));
        return;
      case 'cancel': {
        const [order] = this.#picked(this.book.openOrders(), one.pick);
        if (!order) return;
        expect(this.book.acceptOrder(cancel(order.id), this.context).status).toBe('CANCELED');
        this.auditor.waiting.delete(order.id);
        return;
      }
      case 'amend': {
        const [order] = this.#picked(this.book.openOrders(), one.pick);
        if (order) this.#amend(order, one.price);
        return;
      }
      case 'protect': {
        const [position] = this.#picked(this.book.openPositions(), one.pick);
        if (!position) return;
        const command = protect(position.id, one.takeProfit, one.stopLoss);
        if (this.book.refusal(command, this.context) === null) this.book.accept(command, this.context);
        return;
      }
      case 'tick':
        this.mark = one.price;
        this.#tick();
    }
  }
  #picked<Row>(rows: readonly Row[], pick: number): readonly Row[] {
    return rows.length === 0 ? [] : rows.slice(pick % rows.length);
  }

  #isReached({ type, side }: Pick<PlaceCommand, 'type' | 'side'>, at: Price): boolean {
    return type === 'STOP' && (side === 'BUY' ? this.mark >= at : this.mark <= at);
  }

  #amend(order: Order, to: Price): void {
    const { book, auditor, rate } = this;
    const { total } = Auditor.cost(order, to, rate);
    const reached = this.#isReached(order, to);
    if (reached || total > auditor.available + (auditor.waiting.get(order.id) ?? 0n)) {
      expect(book.refusal(amend(order.id, to), this.context)?.code).toBe(
        reached ? 'stop_reached' : 'insufficient_balance',
      );
      return;
    }
    const amended = book.acceptOrder(amend(order.id, to), this.context);
    expect(amended).toMatchObject({ status: 'NEW', price: to, reserved: total });
    auditor.waiting.set(order.id, total);
    this.#cross(amended);
  }

  #place(command: PlaceCommand): void {
    const { book, auditor, rate } = this;
    if (command.type === 'MARKET') {
      const { id } = book.acceptOrder({ ...command, price: null }, this.context);
      this.#fill(id, null);
      return;
    }
    const at = command.price ?? this.mark;
    const { total } = Auditor.cost(command, at, rate);
    const reached = this.#isReached(command, at);
    const possible = !reached && total <= auditor.available;
    if (!possible && !command.keepRejected) {
      expect(book.refusal(command, this.context)?.code).toBe(
        reached ? 'stop_reached' : 'insufficient_balance',
      );
      return;
    }
    const order = book.acceptOrder(command, this.context);
    expect(order).toMatchObject({
      status: possible ? 'NEW' : 'REJECTED',
      reserved: possible ? total : 0n,
    });
    if (!possible) return;
    auditor.waiting.set(order.id, total);
    if (order.type === 'LIMIT') this.#cross(order);
  }

  #cross(order: Order): void {
    const trigger = orderTriggerOf(order);
    if (trigger && fires(trigger, this.mark)) this.#fill(order.id, this.mark);
  }

  #fill(orderId: string, tick: Price | null): void {
    const { book, auditor, rate } = this;
    const waited = book.order(orderId);
    if (!waited) throw new Error('the book lost an order');
    const expected = auditor.fillPrice(waited, this.mark, rate);
    const filled = book.acceptOrder({ kind: 'fill', orderId, price: tick }, this.context);
    auditor.waiting.delete(orderId);
    expect(filled).toMatchObject({ status: expected === null ? 'REJECTED' : 'FILLED', reserved: 0n });
    const position = filled.positionId === null ? undefined : book.position(filled.positionId);
    if (!position) return;
    expect(position.entryPrice).toBe(expected);
    if (waited.type === 'LIMIT' && waited.price !== null) {
      const isBuy = waited.side === 'BUY';
      expect(isBuy ? position.entryPrice <= waited.price : position.entryPrice >= waited.price).toBe(true);
    }
    expect(isLiquidated(position.side, position.liquidationPrice, this.mark)).toBe(false);
    auditor.open(position, rate);
  }

  /** As the engine does: positions first, then the orders. */
  #tick(): void {
    const { book, auditor, mark } = this;
    for (const position of book.openPositions()) {
      const [fired] = triggersOf(position).filter((armed) => fires(armed, mark));
      if (!fired) continue;
      const { kind } = fired;
      const command = { kind: 'trigger', trigger: kind, positionId: position.id, price: mark } as const;
      const { closing } = book.acceptPosition(command, this.context);
      if (!closing) continue;
      expect(closing).toMatchObject({ price: mark, reason: kind });
      auditor.close(position, mark);
    }
    for (const order of book.openOrders()) this.#cross(order);
  }

  check(): void {
    const { book, auditor } = this;
    expect(balanceOf(book.wallet)).toBe(auditor.balance);
    expect(book.wallet.available).toBe(auditor.available);
    expect(book.openOrders().map(({ id }) => id)).toEqual([...auditor.waiting.keys()]);
    expect(book.openPositions().map(({ id }) => id)).toEqual([...auditor.locked.keys()]);
    const lines = book.transactions.reduce((sum, { amount }) => sum + amount, 0n);
    expect(lines).toBe(auditor.balance);
  }
}

test('A03 A07 A08 A20 A21: any sequence of orders and ticks ends where a naive auditor predicts', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      rates,
      fc.constantFrom('standard' as const, 'as-specified' as const),
      (steps, rate, rules) => {
        const run = new Run(rate, rules);
        for (const one of steps) {
          run.take(one);
          run.check();
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('A20: an order that ends without a fill leaves the account as if it had never been placed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('LIMIT', 'STOP'),
      fc.constantFrom('BUY', 'SELL'),
      prices,
      prices,
      sizes,
      leverages,
      rates,
      fc.bigInt({ min: 0n, max: 100_000_000n }),
      (type, side, at, tick, size, leverage, rate, slack) => {
        const context = (mark: Price) => contextAt({ price: mark, stale: true }, { feeRate: rate });
        const { total } = openingCost(at, size, leverage, rate);
        const book = new Book(toDecimalString(total + slack + money('0.01')));
        // Another position is open, whose margin the order neither uses nor releases.
        book.accept(open({ size: pair.minQty }), contextAt());
        const { wallet } = book;
        const command = place({ type, side, price: at, size, leverage });
        const { id } = book.acceptOrder(command, context(at));
        const trigger = { kind: 'fill', orderId: id, price: tick } as const;
        const refusal = book.refusal(trigger, context(tick));
        const { status } = refusal
          ? book.acceptOrder(cancel(id), context(tick))
          : book.acceptOrder(trigger, context(tick));
        if (status === 'FILLED') return;
        expect(refusal?.code ?? book.order(id)?.rejection?.code).toBe(
          refusal ? 'not_crossed' : 'insufficient_balance',
        );
        expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 2 });
        expect(book.openPositions()).toHaveLength(1);
        expect(book.order(id)).toMatchObject({ reserved: 0n, positionId: null });
      },
    ),
    { numRuns: 300 },
  );
});
