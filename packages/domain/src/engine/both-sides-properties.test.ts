/** A111: properties of what an account that holds both sides of a symbol can make of a gap. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  closedOf,
  contextAt,
  feeRate,
  finePair,
  inFine,
  insured,
  money,
  open,
  pair,
} from '../../test/engine.ts';
import { asPrice, asSize, type Price } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import type { RuleSetName } from '../rules.ts';
import type { Command, Context } from './commands.ts';
import { triggersOf } from './protection.ts';
import { settlementAt } from './settlement.ts';
import { balanceOf } from './types.ts';

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
    const decision = book.decide(command, contextAt({ price: mark }));
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
            const decision = book.decide(open(terms), contextAt({ price: mark }, { rules: of }));
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
          const decision = book.decide(command, context);
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
    const decision = book.decide(command, contextAt({}, { rules: of, feeRate: rate }));
    if (decision.outcome === 'accepted') book.take(decision.effects);
  }
});
