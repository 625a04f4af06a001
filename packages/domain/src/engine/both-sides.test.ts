/** A111: what an account that holds both sides of a symbol can make of a gap. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, asPrice, asSize, type Money, type Price } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { type RuleSetName, rulesOf } from '../rules.ts';
import type { Command, Context } from './commands.ts';
import { decide } from './decide.ts';
import { triggersOf } from './protection.ts';
import { settlementAt } from './settlement.ts';
import {
  Book,
  close,
  contextAt,
  feeRate,
  money,
  open,
  otherPair,
  pair,
  price,
  protect,
  size,
} from './testing.ts';
import { balanceOf } from './types.ts';

const hit = (positionId: string, at: Price, trigger: 'liquidation' | 'take_profit' = 'liquidation') =>
  ({ kind: 'trigger', trigger, positionId, price: at }) as const;
const insured = (book: Book): bigint =>
  book.ledger
    .flatMap(({ entries }) => entries)
    .reduce((sum, { account, amount }) => (account === 'insurance' ? sum - amount : sum), 0n);
/** A tick times a step is 1e-9, so that the PnL of a step is rounded. */
const finePair: TradingPair = {
  ...pair,
  id: 'FINE',
  symbol: 'FINE',
  minPrice: asPrice(1n),
  tickSize: asPrice(1n),
  minQty: size('0.1'),
  maxQty: size('1000000'),
  stepSize: size('0.1'),
};
const inFine = (at: string | Price, more: Partial<Context> = {}) => {
  const quote = contextAt({ price: typeof at === 'string' ? price(at) : at }).market.quote;
  return contextAt({}, { market: { pair: () => finePair, quote }, ...more });
};
/** 10,000, less what the close price of the part that paid is rounded by: 1e-8 of its size times the factor. */
const expectWhole = (balance: Money): void => {
  expect(balance).toBeLessThanOrEqual(money('10000'));
  expect(balance).toBeGreaterThan(money('9999.999'));
};
const closedOf = (book: Book) => [...book.positions.values()].filter(({ closing }) => closing !== null);

/** The finding's pair, at 1,000: BUY and SELL at 125x, a margin of 4,990.40 each, of 10,000. */
function hedged({ rules = 'standard' }: { rules?: RuleSetName } = {}) {
  const book = new Book('10000');
  const context = contextAt('1000', { rules });
  const long = book.acceptPosition(open({ size: size('623.8'), leverage: 125 }), context);
  const short = book.acceptPosition(open({ side: 'SELL', size: size('623.8'), leverage: 125 }), context);
  return { book, long, short };
}

describe('SEC-F2: a hedged pair at 125x does not win a gap', () => {
  test.each([{ rules: 'standard' }, { rules: 'as-specified' }] as const)(
    'SEC-F2: a shock of 3 percent under $rules leaves 10,000 at 10,000, and the insurance pays nothing',
    ({ rules }) => {
      const { book, long, short } = hedged({ rules });
      const { effects } = book.accept(hit(short.id, price('1030')), contextAt('1030'));
      for (const { id } of book.openPositions()) book.accept(close(id), contextAt('1030'));
      expectWhole(balanceOf(book.wallet));
      expect(insured(book)).toBe(0n);
      // The part of the long that paid: its row matches the formula and shows why it closed.
      const paid = effects.positions.find(({ after }) => after.splitFrom === long.id)!.after;
      expect(paid.closing).toMatchObject({ reason: 'liquidation', priceSource: 'live' });
      expect(paid.closing?.realizedPnl).toBe(rulesOf(rules).realizedPnl(paid, paid.closing!.price));
      expect(paid.closing!.price).toBeGreaterThanOrEqual(long.entryPrice);
      expect(paid.closing!.price).toBeLessThan(price('1030'));
      expect(book.position(short.id)?.closing).toMatchObject({
        price: price('1030'),
        reason: 'liquidation',
        realizedPnl: -short.margin,
      });
      const beyond = -rulesOf(rules).realizedPnl(short, price('1030')) - short.margin;
      expect(effects.notifications.map(({ kind, position }) => [kind, position?.id])).toEqual([
        ['liquidation', paid.id],
        ['liquidation', short.id],
      ]);
      const [{ amount: gaveUp }, { amount: none }] = [effects.notifications[0]!, effects.notifications[1]!];
      expect(gaveUp).toBeGreaterThanOrEqual(beyond);
      expect(gaveUp! - beyond).toBeLessThan(100_000n);
      expect(none).toBeNull();
    },
  );

  test('SEC-F2: the winning side closed by hand first does not leave the loss to the insurance', () => {
    const { book, long, short } = hedged();
    const { subject, effects } = book.accept(close(long.id), contextAt('1030'));
    // What the loss left of it is what the click closes.
    expect(subject).toMatchObject({
      kind: 'position',
      position: { id: long.id, closing: { reason: 'manual' } },
    });
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
    expect(effects.positions).toHaveLength(3);
    expectWhole(balanceOf(book.wallet));
    expect(insured(book)).toBe(0n);
  });

  test('SEC-F2: nor does its take profit, nor a part of it closed by hand', () => {
    const first = hedged();
    first.book.accept(protect(first.long.id, price('1020'), null));
    first.book.accept(hit(first.long.id, price('1030'), 'take_profit'), contextAt('1030'));
    expect(first.book.position(first.long.id)?.closing?.reason).toBe('take_profit');
    expectWhole(balanceOf(first.book.wallet));

    const second = hedged();
    second.book.accept(close(second.long.id, { size: size('100') }), contextAt('1030'));
    expect(second.book.position(second.short.id)?.closing?.reason).toBe('liquidation');
    expect(second.book.openPositions().map(({ id }) => id)).toEqual([second.long.id]);
    second.book.accept(close(second.long.id), contextAt('1030'));
    expectWhole(balanceOf(second.book.wallet));
    expect(insured(second.book)).toBe(0n);
  });

  test('SEC-F2: the rest that a loss leaves of a position closes whole where the requested part no longer fits', () => {
    const { book, long, short } = hedged();
    const { subject } = book.accept(close(long.id, { size: size('600') }), contextAt('1030'));
    expect(subject).toMatchObject({
      kind: 'position',
      position: { id: long.id, closing: { reason: 'manual' } },
    });
    expect(book.openPositions()).toEqual([]);
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
  });

  test('SEC-F2: a winner that gives all it has is answered as liquidated, at its entry', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ leverage: 125 }));
    book.accept(open({ side: 'SELL', size: size('2'), leverage: 125 }));
    const closed = book.acceptPosition(close(long.id), contextAt('103'));
    expect(closed).toMatchObject({
      id: long.id,
      closing: { reason: 'liquidation', price: long.entryPrice, realizedPnl: 0n },
    });
    // The short lost 6, its margin bears 1.60 and the long 3.
    expect(insured(book)).toBe(money('1.4'));
    expect(balanceOf(book.wallet)).toBe(money('9998.4'));
  });

  test('SEC-F2: reset and deletion settle the pair as well, without a notification', () => {
    for (const command of [
      { kind: 'reset', startBalance: money('10000') },
      { kind: 'delete', reason: 'requested it' },
    ] as const) {
      const { book } = hedged();
      const { effects } = book.accept(command, contextAt({ price: price('1030'), marketOpen: false }));
      expect(insured(book)).toBe(0n);
      expect(effects.notifications).toEqual([]);
      const results = effects.transactions.filter(({ type }) => type === 'position_closed');
      expectWhole(asMoney(results.reduce((sum, { amount }) => sum + amount, money('10000') as bigint)));
    }
  });

  test('SEC-F2: an old price closes what it exhausts, as it closes the rest (A24)', () => {
    const { book, long, short } = hedged();
    book.accept(close(long.id), contextAt({ price: price('1030'), stale: true }));
    expect(book.position(short.id)?.closing).toMatchObject({ reason: 'liquidation', priceSource: 'mark' });
    expectWhole(balanceOf(book.wallet));
  });

  test('SEC-F2: without any price both sides close at their entries', () => {
    const { book, long, short } = hedged();
    for (const { id } of [long, short]) book.accept(close(id), contextAt(null));
    expect(closedOf(book).map(({ closing }) => closing?.reason)).toEqual(['manual', 'manual']);
    expectWhole(balanceOf(book.wallet));
  });

  test('SEC-F2: many small losers are paid by one gain together, though it cannot be parted', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ size: size('0.001'), leverage: 1 }));
    for (let i = 0; i < 5; i += 1) {
      book.accept(open({ side: 'SELL', size: size('0.001'), leverage: 125 }));
    }
    const first = book.openPositions()[1]!;
    book.accept(hit(first.id, price('101')), contextAt('101'));
    // Each short lost 0.001 of which its margin bears 0.0008; the long gained 0.001, which 5 × 0.0002 take whole.
    expect(book.position(long.id)?.closing).toMatchObject({ realizedPnl: 0n, reason: 'liquidation' });
    expect(insured(book)).toBe(0n);
    expect(balanceOf(book.wallet)).toBe(money('9999.996'));
  });

  test('SEC-F2: the oldest gain pays first, and only of the same symbol and the other side', () => {
    const book = new Book('10000');
    const other = book.acceptPosition(open({ symbol: otherPair.symbol, leverage: 125 }));
    const older = book.acceptPosition(open({ leverage: 10 }));
    const newer = book.acceptPosition(open({ leverage: 10 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    book.accept(hit(short.id, price('103')), contextAt('103'));
    const states = [other, older, newer].map(({ id }) => book.position(id)!);
    expect(states.map(({ size: left, closing }) => [left, closing])).toEqual([
      [size('1'), null],
      // It lost 3, of which its margin bears 0.80; 0.734 of the older one gain the rest.
      [size('0.266'), null],
      [size('1'), null],
    ]);
  });

  test('SEC-F2: the fee of what pays is that of its own close price', () => {
    const { book, long } = hedgedWithFee();
    const [paid] = closedOf(book).filter(({ splitFrom }) => splitFrom === long.id);
    const value = (paid!.closing!.price * paid!.size) / 100_000_000n;
    expect(paid!.fees).toBe((value * 6n) / 10_000n);
  });

  function hedgedWithFee() {
    const book = new Book('10000');
    const context = contextAt({}, { feeRate: feeRate('0.0006') });
    const long = book.acceptPosition(open({ leverage: 50 }), context);
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 50 }), context);
    book.accept(hit(short.id, price('108')), contextAt('108'));
    return { book, long };
  }

  test('SEC-F2: a part too small to bear its own loss is refused, and nothing halts', () => {
    const book = new Book('10000');
    const terms = { symbol: finePair.symbol, size: size('100000'), leverage: 2 } as const;
    const long = book.acceptPosition(open(terms), inFine('0.00000034'));
    const short = book.acceptPosition(open({ ...terms, side: 'SELL' }), inFine('0.00000034'));
    // Of 0.1 the margin is rounded down to 1e-8 and the loss up to 2e-8, while the whole has 0.002 left to lose.
    const part = close(long.id, { size: size('0.1') });
    expect(book.refusal(part, inFine('0.00000019'))).toEqual({ code: 'amount_too_small' });
    expect(
      book.acceptPosition(close(long.id, { size: size('10') }), inFine('0.00000019')).closing,
    ).toMatchObject({ reason: 'manual', realizedPnl: money('-0.0000015') });
    book.accept(close(long.id), inFine('0.00000019'));
    expect(book.position(short.id)?.closing).toBeNull();
    expect(insured(book)).toBe(0n);
  });

  test('SEC-F2: one side without the other ends at the margin (A03)', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ symbol: otherPair.symbol, leverage: 125 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    book.accept(hit(short.id, price('103')), contextAt('103'));
    expect(insured(book)).toBe(money('2.2'));
    expect(book.position(long.id)?.closing).toBeNull();
  });
});

describe('A111: properties of what one symbol brings an account', () => {
  const leverages = fc.oneof(fc.integer({ min: 1, max: 125 }), fc.constantFrom(50, 100, 125));
  const sizes = fc.bigInt({ min: 1n, max: 30_000n }).map((steps) => asSize(steps * 100_000n));
  /** On the ticks and off them, near the entry and up to a gap of 60 %. */
  const marks = fc
    .oneof(
      { weight: 3, arbitrary: fc.bigInt({ min: 99_00000000n, max: 101_00000000n }) },
      { weight: 2, arbitrary: fc.bigInt({ min: 40_00n, max: 160_00n }).map((cents) => cents * 1_000_000n) },
      { weight: 2, arbitrary: fc.bigInt({ min: 40_00000000n, max: 160_00000000n }) },
    )
    .map(asPrice);
  const rules = fc.constantFrom('standard' as const, 'as-specified' as const);
  const fees = fc.constantFrom(feeRate('0'), feeRate('0'), feeRate('0.0006'));
  const leg = fc.record({ side: fc.constantFrom('BUY', 'SELL'), size: sizes, leverage: leverages, rules });
  /** How each of what is left is ended: by a click, whole or in part, or by what it waits for. */
  const ways = fc.array(fc.record({ pick: fc.nat(), how: fc.constantFrom('click', 'part', 'trigger') }), {
    maxLength: 20,
  });
  type Way = { readonly pick: number; readonly how: string };

  function run(book: Book, command: Command, mark: Price): void {
    const decision = decide(book, command, contextAt({ price: mark }));
    if (decision.outcome === 'accepted') book.take(decision.effects);
  }
  function endOne(book: Book, { pick, how }: Way, mark: Price): void {
    const left = book.openPositions();
    const position = left[pick % Math.max(1, left.length)];
    if (!position) return;
    if (how === 'trigger') {
      const armed = triggersOf(position).find(({ price: at, when }) =>
        when === 'rises' ? mark >= at : mark <= at,
      );
      const { id: positionId } = position;
      if (armed) run(book, { kind: 'trigger', trigger: armed.kind, positionId, price: mark }, mark);
      return;
    }
    const part = asSize((position.size / 2n / pair.stepSize) * pair.stepSize);
    run(book, close(position.id, { size: how === 'part' ? part : null }), mark);
  }
  function endAll(book: Book, order: readonly Way[], mark: Price): void {
    for (const way of order) endOne(book, way, mark);
    for (const { id } of book.openPositions()) run(book, close(id), mark);
    expect(book.openPositions()).toEqual([]);
  }
  /** Half a unit per row that is rounded to 1e-8. */
  const roundingOf = (book: Book): bigint => BigInt(closedOf(book).length);
  /** What the close prices of those that paid are rounded by, against the trader. */
  const surplusOf = (book: Book, mark: Price): bigint =>
    closedOf(book)
      .filter(({ closing }) => closing?.price !== mark)
      .reduce((sum, { size: of, leverage }) => sum + 1n + (of * BigInt(leverage)) / 100_000_000n, 0n);
  const feesOf = (book: Book): bigint =>
    [...book.positions.values()].reduce((sum, row) => sum + row.fees, 0n);

  test('A111 SEC-F2: closing all at one price, in any order and way, books max(all PnL, minus the lost margins)', () => {
    fc.assert(
      fc.property(
        fc.array(leg, { minLength: 1, maxLength: 8 }),
        marks,
        ways,
        fees,
        (legs, mark, order, rate) => {
          const book = new Book('100000');
          for (const { rules: of, ...terms } of legs) {
            openUnder(book, open(terms), of, rate);
          }
          const opened = book.openPositions();
          const start = balanceOf(book.wallet) + feesOf(book);
          const gross = opened.reduce((sum, row) => sum + rulesOf(row.rules).realizedPnl(row, mark), 0n);
          const lost = opened.reduce((sum, row) => sum + least(settlementAt(row, mark).realizedPnl, 0n), 0n);
          endAll(book, order, mark);
          const made = balanceOf(book.wallet) + feesOf(book) - start;
          const expected = gross > lost ? gross : lost;
          expect(made - expected).toBeLessThanOrEqual(roundingOf(book));
          expect(expected - made).toBeLessThanOrEqual(roundingOf(book) + surplusOf(book, mark));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('A111 SEC-F2: sides that offset each other gain nothing from any price, whatever closes them, fees or not', () => {
    const legs = fc.array(fc.tuple(sizes, leverages), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(legs, legs, rules, fees, marks, ways, (longs, shorts, of, rate, mark, order) => {
        const book = new Book('1000000000');
        // Exposure is size, times the leverage under `as-specified`: one leverage for both, and equal sums of sizes.
        const weight = of === 'standard' ? null : longs[0]![1];
        let sum = 0n;
        for (const [part, leverage] of longs) {
          openUnder(book, open({ size: part, leverage: weight ?? leverage }), of, rate);
          sum += part;
        }
        for (const [part, leverage] of shorts) {
          const fits = part < sum ? part : sum;
          if (fits === 0n) break;
          openUnder(book, open({ side: 'SELL', size: asSize(fits), leverage: weight ?? leverage }), of, rate);
          sum -= fits;
        }
        const rest = { side: 'SELL', size: asSize(sum), leverage: weight ?? 125 } as const;
        if (sum > 0n) openUnder(book, open(rest), of, rate);
        const start = money('1000000000');
        endAll(book, order, mark);
        expect(balanceOf(book.wallet)).toBeLessThanOrEqual(start + roundingOf(book));
        // With a tick times a step of at least 1e-8 nothing is rounded but the prices of what pays: then exactly.
        if (mark % pair.tickSize === 0n) expect(balanceOf(book.wallet)).toBeLessThanOrEqual(start);
      }),
      { numRuns: 400 },
    );
  });

  test('A111: along any path of gaps the insurance pays only where the other side has no gain', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ leg, mark: marks, way: fc.option(ways, { freq: 2 }) }), { maxLength: 25 }),
        (path) => {
          const book = new Book('100000');
          let paidOut = 0n;
          for (const { leg: at, mark, way } of path) {
            for (const { id } of book.openPositions())
              endOne(book, { pick: indexOf(book, id), how: 'trigger' }, mark);
            for (const one of way ?? []) endOne(book, one, mark);
            const insurance = insured(book) - paidOut;
            paidOut += insurance;
            if (insurance > 0n) expectNoGainBeside(book, mark);
            const { rules: of, ...terms } = at;
            const decision = decide(book, open(terms), contextAt({ price: mark }, { rules: of }));
            if (decision.outcome === 'accepted') book.take(decision.effects);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('A111 SEC-F2: nor where the PnL of a step is rounded, whatever parts are closed', () => {
    const lots = fc.bigInt({ min: 1n, max: 1_000_000n });
    const fewOrMany = fc.oneof({ weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 4n }) }, lots);
    const leg = fc.record({
      lots,
      leverage: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) }, leverages),
      rules,
    });
    const parts = fc.array(fc.record({ pick: fc.nat(), steps: fewOrMany }), { maxLength: 10 });
    const step = fc.record({
      mark: fc.bigInt({ min: 15n, max: 40n }).map(asPrice),
      parts,
      long: leg,
      short: leg,
    });
    const ofSteps = (steps: bigint) => asSize(steps * finePair.stepSize);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (path) => {
        const book = new Book('100000');
        const take = (command: Command, context: Context) => {
          const decision = decide(book, command, context);
          if (decision.outcome === 'accepted') book.take(decision.effects);
        };
        let paidOut = 0n;
        for (const { mark, parts, long, short } of path) {
          for (const { pick, steps } of parts) {
            const left = book.openPositions();
            const position = left[pick % Math.max(1, left.length)];
            if (!position) break;
            take(close(position.id, { size: ofSteps(steps) }), inFine(mark));
            const insurance = insured(book) - paidOut;
            paidOut += insurance;
            if (insurance > 0n) expectNoGainBeside(book, mark);
          }
          for (const [side, { lots, leverage, rules: of }] of [
            ['BUY', long],
            ['SELL', short],
          ] as const) {
            const terms = { symbol: finePair.symbol, side, size: ofSteps(lots), leverage };
            take(open(terms), inFine(mark, { rules: of }));
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  const indexOf = (book: Book, id: string): number => {
    const at = book.openPositions().findIndex((position) => position.id === id);
    return at < 0 ? 0 : at;
  };
  /** Of what closed at this very mark for the insurance: nothing opposite is open with a gain there. */
  function expectNoGainBeside(book: Book, mark: Price): void {
    const now = Math.max(...closedOf(book).map(({ closing }) => closing!.at));
    for (const loser of closedOf(book)) {
      const isInsured = book.ledger.some(
        ({ sourceId, entries }) =>
          sourceId === loser.id && entries.some(({ account }) => account === 'insurance'),
      );
      if (!isInsured || loser.closing!.at !== now) continue;
      const gaining = book
        .openPositions()
        .filter(({ side }) => side !== loser.side)
        .filter((position) => rulesOf(position.rules).realizedPnl(position, mark) > 0n);
      expect(gaining).toEqual([]);
    }
  }

  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  function openUnder(book: Book, command: Command, of: RuleSetName, rate: ReturnType<typeof feeRate>): void {
    const decision = decide(book, command, contextAt({}, { rules: of, feeRate: rate }));
    if (decision.outcome === 'accepted') book.take(decision.effects);
  }
});
