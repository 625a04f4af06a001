/**
 * Random sequences of commands against a second, naive account: separate figures per meaning, summed at the end,
 * without ledger and versions. Each book must also satisfy the general invariants after any sequence.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjust,
  Book,
  cancel,
  close,
  contextAt,
  edit,
  feeRate,
  marketOf,
  money,
  open,
  otherPair,
  pair,
  place,
  protect,
} from '../../test/engine.ts';
import { asMoney, asPrice, asSize, type FeeRate, type Price } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import type { RuleSetName } from '../rules.ts';
import type { Command, Context, PositionEdit } from './commands.ts';
import { equityOf } from './equity.ts';
import { fires, orderTriggerOf, triggersOf } from './protection.ts';
import { balanceOf, type Order, type Position } from './types.ts';

const between = (min: bigint, max: bigint) =>
  fc.bigInt({ min, max }).map((ticks) => asPrice(ticks * 1_000_000n));
/** Mostly near 100, so that positions survive; sometimes far away. */
const prices = fc.oneof(
  { weight: 5, arbitrary: between(9_800n, 10_200n) },
  { weight: 3, arbitrary: between(8_000n, 12_500n) },
  { weight: 1, arbitrary: between(1n, 30_000n) },
);
const sizes = fc.bigInt({ min: 1n, max: 30_000n }).map((steps) => asSize(steps * 100_000n));
const sides = fc.constantFrom('BUY', 'SELL');
const leverages = fc.integer({ min: 1, max: 125 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const terms = fc.record({ side: sides, size: sizes, leverage: leverages });
const guards = fc.record({ takeProfitPrice: maybe(prices), stopLossPrice: maybe(prices) });
const noGuards = { takeProfitPrice: null, stopLossPrice: null };
const amounts = fc.bigInt({ min: -money('600'), max: money('600') }).map(asMoney);

/** A command of a book, about one of its rows where it is about one. Null where there is none. */
type Ask = (book: Book) => Command | null;
const picked = <Row>(rows: Iterable<Row>, pick: number): Row | undefined => {
  const all = [...rows];
  return all[pick % Math.max(1, all.length)];
};
const aboutPosition = (
  open: 'open' | 'any',
  make: fc.Arbitrary<(position: Position) => Command>,
): fc.Arbitrary<Ask> =>
  fc.tuple(fc.nat(), make).map(([pick, ask]) => (book) => {
    const position = picked(open === 'open' ? book.openPositions() : book.positions.values(), pick);
    return position ? ask(position) : null;
  });
const aboutOrder = (make: fc.Arbitrary<(order: Order) => Command>): fc.Arbitrary<Ask> =>
  fc.tuple(fc.nat(), make).map(([pick, ask]) => (book) => {
    const order = picked(book.openOrders(), pick);
    return order ? ask(order) : null;
  });

const edits: fc.Arbitrary<PositionEdit> = fc.oneof<fc.Arbitrary<PositionEdit>[]>(
  fc.record({ entryPrice: prices }),
  fc.record({ size: sizes }),
  fc.record({ leverage: leverages }),
  fc.record({ side: sides, leverage: leverages }),
  fc.record({ realizedPnl: maybe(amounts) }),
  fc.record({ closePrice: maybe(prices), closedAt: fc.integer({ min: 0, max: 2_000_000 }) }),
  fc.record({ liquidationPrice: maybe(prices) }),
  fc.record({ createdAt: fc.integer({ min: 0, max: 2_000_000 }) }),
  fc.record({
    entryPrice: prices,
    size: sizes,
    leverage: leverages,
    side: sides,
    realizedPnl: maybe(amounts),
  }),
);

const requests: fc.Arbitrary<Ask> = fc.oneof<fc.WeightedArbitrary<Ask>[]>(
  {
    weight: 6,
    arbitrary: fc.tuple(terms, fc.option(guards, { nil: noGuards, freq: 2 })).map(
      ([of, guarded]) =>
        () =>
          open({ ...of, ...guarded }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ type: fc.constantFrom('MARKET', 'LIMIT', 'STOP'), price: prices, keepRejected: fc.boolean() })
      .chain((of) => terms.map((trade) => () => place({ ...trade, ...of }))),
  },
  { weight: 3, arbitrary: aboutOrder(fc.constant((order) => cancel(order.id))) },
  {
    weight: 5,
    arbitrary: aboutPosition(
      'open',
      fc.tuple(maybe(sizes), fc.constantFrom('manual' as const, 'staff' as const)).map(
        ([size, reason]) =>
          ({ id }: Position) =>
            close(id, { size, reason }),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: aboutPosition(
      'open',
      guards.map(
        ({ takeProfitPrice, stopLossPrice }) =>
          ({ id }: Position) =>
            protect(id, takeProfitPrice, stopLossPrice),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: aboutPosition(
      'open',
      guards.map(
        ({ takeProfitPrice }) =>
          ({ id }: Position) =>
            protect(id, takeProfitPrice, undefined),
      ),
    ),
  },
  {
    weight: 4,
    arbitrary: aboutPosition(
      'any',
      edits.map(
        (changed) =>
          ({ id }: Position) =>
            edit(id, changed),
      ),
    ),
  },
  {
    weight: 4,
    arbitrary: aboutPosition(
      'any',
      fc.constantFrom(true, true, false).map(
        (requested) =>
          ({ id }: Position) =>
            ({ kind: 'close_at_reopen', positionId: id, requested }) as const,
      ),
    ),
  },
  { weight: 2, arbitrary: amounts.map((amount) => () => ({ ...adjust('1'), amount })) },
  {
    weight: 1,
    arbitrary: fc.constant<Ask>(({ restricted }) => ({
      kind: 'restrict',
      restricted: !restricted,
      reason: 'a test',
    })),
  },
  { weight: 1, arbitrary: fc.constant<Ask>(() => ({ kind: 'reset', startBalance: money('1000') })) },
);

interface Step {
  readonly ask: Ask;
  readonly mark: Price;
  readonly rules: RuleSetName;
  readonly rate: FeeRate;
  readonly market: 'trades' | 'stale' | 'shut';
}
const steps: fc.Arbitrary<Step> = fc.record({
  ask: requests,
  mark: prices,
  rules: fc.constantFrom('standard' as const, 'as-specified' as const),
  rate: fc.constantFrom(feeRate('0'), feeRate('0.0006'), feeRate('0.005')),
  market: fc.constantFrom('trades', 'trades', 'trades', 'trades', 'stale', 'shut'),
});

/** What a tick at this price sets off, until nothing is left that it fires. */
function tick(book: Book, mark: Price, context: Context): void {
  for (const order of book.openOrders()) {
    const trigger = orderTriggerOf(order);
    if (!trigger || fires(trigger, mark))
      run(book, { kind: 'fill', orderId: order.id, price: trigger && mark }, context);
  }
  for (const { id } of book.openPositions()) {
    const armed = triggersOf(book.position(id)!).find((trigger) => fires(trigger, mark));
    if (armed) run(book, { kind: 'trigger', trigger: armed.kind, positionId: id, price: mark }, context);
  }
}

/** `decide` throws when an assertion does not hold; a refusal changes nothing. */
function run(book: Book, command: Command, context: Context): void {
  const decision = book.decide(command, context);
  if (decision.outcome === 'refused') return;
  book.take(decision.effects);
}

const sum = <Row>(rows: Iterable<Row>, of: (row: Row) => bigint): bigint =>
  [...rows].reduce((total, row) => total + of(row), 0n);

/** The general invariants of a book, from its rows. */
function checkBook(book: Book): void {
  const { wallet, positions, orders, ledger, transactions } = book;
  const entries = ledger.flatMap(({ sourceId, entries: rows }) => rows.map((row) => ({ sourceId, ...row })));
  const moved = (account: string, source?: string): bigint =>
    sum(entries, (row) =>
      row.account === account && (source ?? row.sourceId) === row.sourceId ? row.amount : 0n,
    );

  expect(sum(entries, ({ amount }) => amount)).toBe(0n);
  expect([moved('user:cash'), moved('user:margin'), moved('user:order_margin')]).toEqual([
    wallet.available,
    wallet.margin,
    wallet.orderMargin,
  ]);
  expect(wallet.margin).toBe(sum(book.openPositions(), ({ margin }) => margin));
  expect(wallet.orderMargin).toBe(sum(book.openOrders(), ({ reserved }) => reserved));
  expect(wallet.available).toBeGreaterThanOrEqual(0n);

  // A10, A11: the plain sum of the lines, and deposits, withdrawals, results and fees each for themselves.
  expect(balanceOf(wallet)).toBe(sum(transactions, ({ amount }) => amount));
  const lines = (type: string): bigint =>
    sum(transactions, (line) => (line.type === type ? line.amount : 0n));
  const closed = [...positions.values()].filter(({ closing }) => closing !== null);
  expect(lines('position_closed')).toBe(sum(closed, ({ closing }) => closing!.realizedPnl));
  expect(transactions.filter(({ type }) => type === 'position_closed')).toHaveLength(closed.length);
  expect(lines('fee')).toBe(-sum(positions.values(), ({ fees }) => fees));
  expect(lines('deposit') + lines('withdrawal')).toBe(-moved('external'));

  for (const position of positions.values()) {
    const { id, closing, splitFrom } = position;
    const groups = (kind: string) =>
      ledger.filter((group) => group.sourceId === id && group.kind === kind).length;
    expect(groups('open')).toBe(splitFrom === null ? 1 : 0);
    expect(groups('close')).toBe(closing ? 1 : 0);
    expect(moved('user:margin', id)).toBe(closing ? 0n : position.margin);
    expect(moved('house:pnl', id) + moved('insurance', id)).toBe(-(closing?.realizedPnl ?? 0n));
    expect(moved('house:fees', id)).toBe(position.fees);
    if (closing) expect(closing.realizedPnl).toBeGreaterThanOrEqual(-position.margin);
    else expect(position.liquidationPrice).toBeGreaterThan(0n);
  }
  for (const { id, reserved } of orders.values()) expect(moved('user:order_margin', id)).toBe(reserved);
}

test('A08 A10 A11 A23 A98 RULE-34: any sequence of commands and ticks leaves a sound book', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 60, size: 'max' }), (sequence) => {
      const book = new Book('1000');
      for (const { ask, mark, rules, rate, market } of sequence) {
        const quote = { price: mark, stale: market === 'stale', marketOpen: market !== 'shut' };
        const context = contextAt(quote, { rules, feeRate: rate });
        const version = book.wallet.version;
        if (market === 'trades') {
          tick(book, mark, context);
          expect(book.openPositions().some(({ closeAtReopen }) => closeAtReopen)).toBe(false);
        }
        const command = ask(book);
        if (command) run(book, command, context);
        expect(book.wallet.version - version).toBeLessThanOrEqual(
          1 + 2 * (book.positions.size + book.orders.size),
        );
        expect(equityOf(book.wallet, book.openPositions(), context.market)).toBeGreaterThanOrEqual(0n);
      }
      checkBook(book);
      book.accept({ kind: 'delete', reason: 'the end' });
      checkBook(book);
      expect(balanceOf(book.wallet)).toBe(0n);
    }),
    { numRuns: 400 },
  );
});

test('RULE-02 RULE-03 A03 A08: opens and closes end where a naive auditor predicts', () => {
  const step = fc.record({ kind: fc.constantFrom('open', 'close'), of: terms, mark: prices, pick: fc.nat() });
  const rulesOfStep = fc.constantFrom('standard' as const, 'as-specified' as const);
  fc.assert(
    fc.property(fc.array(fc.tuple(step, rulesOfStep), { maxLength: 60, size: 'max' }), (sequence) => {
      const book = new Book('1000');
      const locked = new Map<string, bigint>();
      let balance = money('1000') as bigint;
      const total = () => sum(locked.values(), (margin) => margin);
      for (const [{ kind, of, mark, pick }, rules] of sequence) {
        const context = contextAt({ price: mark }, { rules });
        if (kind === 'open') {
          const scale = 100_000_000n * BigInt(of.leverage);
          const margin = (2n * mark * of.size + scale) / (2n * scale);
          const isCovered = margin > 0n && margin <= balance - total();
          // Each side on a symbol of its own: the two of one symbol pay for each other (A111).
          const command = open({ ...of, symbol: of.side === 'BUY' ? pair.symbol : otherPair.symbol });
          expect(book.refusal(command, context) === null).toBe(isCovered);
          if (isCovered) locked.set(book.acceptPosition(command, context).id, margin);
          continue;
        }
        const [id, margin] = picked(locked, pick) ?? [];
        if (id === undefined || margin === undefined) continue;
        const position = book.position(id)!;
        const gain = rulesOf(position.rules).realizedPnl(position, mark);
        book.accept(close(id), context);
        balance += gain < -margin ? -margin : gain;
        locked.delete(id);
      }
      expect(balanceOf(book.wallet)).toBe(balance);
      expect(book.wallet.available).toBe(balance - total());
      expect(equityOf(book.wallet, [], marketOf({ [pair.symbol]: null }))).toBe(balance);
    }),
    { numRuns: 300 },
  );
});
