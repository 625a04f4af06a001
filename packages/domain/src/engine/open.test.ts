import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, money, open, pair, place, price, size } from '../../test/engine.ts';
import { asPrice, asSize, toDecimalString } from '../money.ts';
import { mainRulesOf } from '../rules.ts';
import { balanceOf, checkPlacement, openingCost } from './index.ts';

const rich = () => new Book('1000');

describe('A22 A101: the first of several mistakes is named', () => {
  /** Each row has every mistake from its own on; repairing the first must reveal the next. */
  const wrong = { symbol: 'NOPE', side: 'HOLD', leverage: 0, size: size('0'), takeProfitPrice: price('1') };
  const poor = () => new Book('9.99999999');
  test.each([
    ['unknown_symbol', rich, open(wrong), null],
    ['side_invalid', rich, open({ ...wrong, symbol: pair.symbol }), null],
    ['leverage_invalid', rich, open({ leverage: 1.5, size: size('0') }), null],
    ['amount_out_of_range', rich, open({ size: size('0.0005') }), { marketOpen: false }],
    ['market_closed', rich, open(), { marketOpen: false, stale: true }],
    ['no_price', rich, open(), null],
    ['price_stale', rich, open({ expectedPrice: price('1') }), { stale: true }],
    ['price_moved', rich, open({ expectedPrice: price('1') }), {}],
    ['insufficient_balance', poor, open({ takeProfitPrice: price('1') }), {}],
    ['protection_invalid', rich, open({ takeProfitPrice: price('1') }), {}],
  ] as const)('%s', (code, account, command, quote) => {
    expect(account().refusal(command, contextAt(quote))?.code).toBe(code);
  });

  test('FEED-48: nothing is opened in a pair that left its list; what is open in it, and what waits, goes on', () => {
    const book = rich();
    const position = book.acceptPosition(open());
    const order = book.acceptOrder(place(), contextAt('105'));
    const former = (at: string) =>
      contextAt(at, { market: { ...contextAt(at).market, isListed: () => false } });
    const refusal = { code: 'unknown_symbol', symbol: pair.symbol };
    expect(book.refusal(open(), former('105'))).toEqual(refusal);
    expect(book.refusal(place(), former('105'))).toEqual(refusal);
    expect(checkPlacement(place(), former('105').market)).toEqual({ refusal });
    book.accept({ kind: 'fill', orderId: order.id, price: price('100') }, former('100'));
    expect(book.orders.get(order.id)?.status).toBe('FILLED');
    expect(book.accept(close(position.id), former('101')).effects.positions).toMatchObject([
      { after: { closing: { reason: 'manual' } } },
    ]);
  });

  test('an amount whose margin would round to nothing is too small', () => {
    const command = open({ size: size('0.001'), leverage: 125 });
    expect(rich().refusal(command, contextAt({ price: asPrice(1n) }))).toEqual({ code: 'amount_too_small' });
  });

  test.each(['0', '-1', '0.0005', '0.0015', '1000.001'])(
    'a size of %s is no amount of the pair',
    (amount) => {
      expect(rich().refusal(open({ size: size(amount) }))).toEqual({
        code: 'amount_out_of_range',
        range: { min: '0.001', max: '1000', step: '0.001' },
      });
    },
  );

  test.each([0, -1, 1.5, 126, Number.NaN, Number.POSITIVE_INFINITY])(
    'RULE-04: %d is no leverage',
    (leverage) => {
      expect(rich().refusal(open({ leverage }))?.code).toBe('leverage_invalid');
    },
  );

  test.each(['buy', 'LONG', '', 'toString'])('%o is no side', (side) => {
    expect(rich().refusal(open({ side }))?.code).toBe('side_invalid');
  });

  test('A72: restriction comes last and does not bind a close', () => {
    const book = rich();
    const position = book.acceptPosition(open());
    book.restricted = true;
    expect(book.refusal(open({ size: size('999') }))?.code).toBe('insufficient_balance');
    expect(book.refusal(open({ takeProfitPrice: price('1') }))?.code).toBe('protection_invalid');
    expect(book.refusal(open())?.code).toBe('account_restricted');
    book.accept(close(position.id));
  });
});

describe('A18: the claimed price is a bound', () => {
  test.each([
    ['99.51', null],
    ['100.5', null],
    ['99.50', 'price_moved'],
    ['100.51', 'price_moved'],
    ['0', 'price_moved'],
    ['-100', 'price_moved'],
  ])('%s against a market at 100 gives %s', (expectedPrice, code) => {
    expect(new Book('1000').refusal(open({ expectedPrice: price(expectedPrice) }))?.code ?? null).toBe(code);
  });

  test('the fill is at the market, never at the claim', () => {
    const position = new Book('1000').acceptPosition(open({ expectedPrice: price('99.8') }));
    expect(position.entryPrice).toBe(price('100'));
  });
});

describe('A08: what an opening does', () => {
  test('the margin moves from available to margin, the balance stays, and the position states how it was opened', () => {
    const book = new Book('1000');
    const { effects } = book.accept(open(), contextAt('100', { now: 7 }));
    const [change] = effects.positions;
    expect(book.wallet).toMatchObject({ available: money('990'), margin: money('10'), orderMargin: 0n });
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(effects).toMatchObject({ orders: [], transactions: [], notifications: [], amended: [] });
    expect(effects.ledger.map(({ kind, sourceId, entries }) => ({ kind, sourceId, entries }))).toEqual([
      {
        kind: 'open',
        sourceId: change?.after.id,
        entries: [
          { account: 'user:cash', amount: money('-10') },
          { account: 'user:margin', amount: money('10') },
        ],
      },
    ]);
    expect(change).toMatchObject({
      before: null,
      after: {
        accountId: 'trader',
        symbol: 'BTCUSDT',
        side: 'BUY',
        entryPrice: price('100'),
        size: size('1'),
        leverage: 10,
        margin: money('10'),
        liquidationPrice: price('90.5'),
        takeProfitPrice: null,
        stopLossPrice: null,
        initialStopLossPrice: null,
        rules: 'standard',
        feeRate: 0n,
        fees: 0n,
        splitFrom: null,
        marginWarned: false,
        closeAtReopen: false,
        createdAt: 7,
        updatedAt: 7,
        editedAt: null,
        closing: null,
        version: 1,
        accountVersion: 1,
      },
    });
  });

  test('A23: every open makes its own position, and both sides may coexist', () => {
    const book = new Book('1000');
    const [one, other] = [book.acceptPosition(open()), book.acceptPosition(open({ side: 'SELL' }))];
    expect(one.id).not.toBe(other.id);
    expect(book.openPositions()).toHaveLength(2);
    expect(book.wallet).toMatchObject({ margin: money('20'), version: 2 });
  });
});

describe('A21: take profit and stop loss of an opening', () => {
  test('are stored, and the stop loss is its first one (A108)', () => {
    const protection = { takeProfitPrice: price('120'), stopLossPrice: price('95') };
    expect(new Book('1000').acceptPosition(open(protection))).toMatchObject({
      ...protection,
      initialStopLossPrice: price('95'),
    });
  });

  test.each([
    ['BUY', '100', null, 'take_profit_side'],
    ['BUY', null, '100', 'stop_loss_side'],
    ['BUY', null, '90.5', 'stop_loss_beyond_liquidation'],
    ['SELL', '100', null, 'take_profit_side'],
    ['SELL', null, '109.5', 'stop_loss_beyond_liquidation'],
    ['SELL', '0', null, 'out_of_range'],
    ['BUY', '100.001', null, 'off_tick'],
  ] as const)('%s at 100 with take profit %s and stop loss %s: %s', (side, takeProfit, stopLoss, code) => {
    const command = open({
      side,
      takeProfitPrice: takeProfit === null ? null : price(takeProfit),
      stopLossPrice: stopLoss === null ? null : price(stopLoss),
    });
    expect(new Book('1000').refusal(command)).toMatchObject({
      code: 'protection_invalid',
      fault: { code },
      decimals: 2,
    });
  });

  test('A07: the liquidation price that bounds the stop loss has the fee in it', () => {
    const command = open({ stopLossPrice: price('90.56') });
    const withFee = contextAt('100', { feeRate: feeRate('0.0006') });
    expect(new Book('1000').refusal(command)).toBeNull();
    expect(new Book('1000').refusal(command, withFee)).toMatchObject({
      fault: { code: 'stop_loss_beyond_liquidation', liquidationPrice: price('90.56') },
    });
  });
});

describe('RULE-02 RULE-03: the available balance has to cover margin and fee; equal is enough', () => {
  test.each([
    ['10', '0', null],
    ['9.99999999', '0', '10'],
    ['10.06', '0.0006', null],
    ['10.05999999', '0.0006', '10.06'],
  ])('%s available at a fee rate of %s: needs %s', (available, rate, required) => {
    const refusal = new Book(available).refusal(open(), contextAt('100', { feeRate: feeRate(rate) }));
    expect(refusal).toEqual(
      required && {
        code: 'insufficient_balance',
        required: money(required),
        available: money(available),
      },
    );
  });

  test('A16: RULE-01 RULE-09: for any trade, exactly its cost is enough and one unit less is not', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 100_000_000n }).map((cents) => asPrice(cents * 1_000_000n)),
        fc.bigInt({ min: 1n, max: 1_000_000n }).map((steps) => asSize(steps * 100_000n)),
        fc.integer({ min: 1, max: 125 }),
        fc.bigInt({ min: 0n, max: 500_000n }),
        fc.constantFrom('BUY', 'SELL'),
        fc.constantFrom('standard' as const, 'as-specified' as const),
        (mark, amount, leverage, rate, side, rules) => {
          const fee = feeRate(toDecimalString(rate));
          const context = contextAt({ price: mark }, { rules, feeRate: fee });
          const command = open({ side, size: amount, leverage });
          // Rounded half up from the exact quotients, which are positive: a formula of its own.
          const scale = 100_000_000n * BigInt(leverage);
          const margin = (2n * mark * amount + scale) / (2n * scale);
          const value = (2n * mark * amount + 100_000_000n) / 200_000_000n;
          const charged = (2n * value * rate + 100_000_000n) / 200_000_000n;
          fc.pre(margin > 0n);
          expect(openingCost(mark, amount, leverage, fee)).toEqual({
            margin,
            fee: charged,
            total: margin + charged,
          });
          const book = new Book(toDecimalString(margin + charged));
          const position = book.acceptPosition(command, context);
          expect(position).toMatchObject({ margin, fees: charged, feeRate: rate });
          expect(position.liquidationPrice).toBe(
            mainRulesOf(rules).liquidationPrice({ ...position, tickSize: pair.tickSize }),
          );
          expect(book.wallet).toMatchObject({ available: 0n, margin });
          expect(new Book(toDecimalString(margin + charged - 1n)).refusal(command, context)?.code).toBe(
            'insufficient_balance',
          );
        },
      ),
    );
  });
});
