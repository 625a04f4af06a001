/** What positions and orders wait for, and what a tick that reaches it does: A03, A05, A21, A104. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  contextAt,
  feeRate,
  money,
  open,
  place,
  price,
  protect,
  size,
} from '../../test/engine.ts';
import { asPrice, asSize, type Price, toDecimalString } from '../money.ts';
import { isLiquidated, mainRuleSetNames } from '../rules.ts';
import type { Side } from '../states.ts';
import {
  balanceOf,
  type Context,
  fires,
  marginRecoveredPrice,
  marginWarningPrice,
  orderTriggerOf,
  type Position,
  type PositionTriggerKind,
  type TriggerCommand,
  triggersOf,
} from './index.ts';

const trigger = (kind: PositionTriggerKind, positionId: string, mark: string | Price): TriggerCommand => ({
  kind: 'trigger',
  trigger: kind,
  positionId,
  price: typeof mark === 'string' ? price(mark) : mark,
});
function opened(more: Parameters<typeof open>[0] = {}, mark = '100', context: Partial<Context> = {}) {
  const book = new Book('1000');
  return { book, position: book.acceptPosition(open(more), contextAt(mark, context)) };
}
/** As the book has it now. */
function now(book: Book, { id }: Position): Position {
  const position = book.position(id);
  if (!position) throw new Error('the book lost a position');
  return position;
}
const way = fc
  .record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    mark: fc.bigInt({ min: 100n, max: 10n ** 8n }).map((cents) => asPrice(cents * 1_000_000n)),
    leverage: fc.integer({ min: 1, max: 125 }),
    rules: fc.constantFrom(...mainRuleSetNames),
    rate: fc.bigInt({ min: 0n, max: 500_000n }),
  })
  .map(({ side, mark, leverage, rules, rate }) => {
    const context = contextAt({ price: mark }, { rules, feeRate: feeRate(toDecimalString(rate)) });
    return new Book('100000000').acceptPosition(open({ side, leverage, size: size('0.1') }), context);
  });

describe('A05, A21: what an open position waits for', () => {
  test('liquidation first, then stop loss, take profit and the warning', () => {
    const { position } = opened({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    expect(triggersOf(position)).toEqual([
      { kind: 'liquidation', price: price('90.5'), when: 'falls' },
      { kind: 'stop_loss', price: price('95'), when: 'falls' },
      { kind: 'take_profit', price: price('120'), when: 'rises' },
      { kind: 'margin_warning', price: price('92.4'), when: 'falls' },
    ]);
  });

  test('a short one waits for the opposite; once warned it waits for the recovery', () => {
    const { position } = opened({ side: 'SELL', stopLossPrice: price('105'), takeProfitPrice: price('80') });
    expect(triggersOf({ ...position, marginWarned: true })).toEqual([
      { kind: 'liquidation', price: price('109.5'), when: 'rises' },
      { kind: 'stop_loss', price: price('105'), when: 'rises' },
      { kind: 'take_profit', price: price('80'), when: 'falls' },
      { kind: 'margin_recovered', price: price('106.65'), when: 'falls' },
    ]);
  });

  test('a closed position waits for nothing', () => {
    const { book, position } = opened();
    expect(triggersOf(book.acceptPosition(close(position.id)))).toEqual([]);
  });

  test('the liquidation trigger fires exactly when the rules state that the position is liquidated', () => {
    fc.assert(
      fc.property(way, fc.bigInt({ min: 1n, max: 30_000n }), (position, tenThousandths) => {
        const mark = asPrice((position.entryPrice * tenThousandths) / 10_000n);
        const [liquidation] = triggersOf(position);
        expect(liquidation && fires(liquidation, mark)).toBe(
          isLiquidated(position.side, position.liquidationPrice, mark),
        );
      }),
    );
  });
});

describe('A20: what an order waits for', () => {
  test.each([
    ['LIMIT', 'BUY', 'falls', 'limit'],
    ['LIMIT', 'SELL', 'rises', 'limit'],
    ['STOP', 'BUY', 'rises', 'stop'],
    ['STOP', 'SELL', 'falls', 'stop'],
  ] as const)('a %s %s until the price %s to it', (type, side, when, kind) => {
    const order = new Book('1000').acceptOrder(place({ type, side }), contextAt(null));
    expect(orderTriggerOf(order)).toEqual({ kind, price: price('100'), when });
    for (const status of ['FILLED', 'CANCELED', 'REJECTED'] as const) {
      expect(orderTriggerOf({ ...order, status })).toBeNull();
    }
  });

  test('a MARKET order waits for no price, whatever price the trader saw', () => {
    const order = new Book('1000').acceptOrder(place({ type: 'MARKET' }), contextAt(null));
    expect(order.price).toBe(price('100'));
    expect(orderTriggerOf(order)).toBeNull();
  });

  test('reaching the price is enough', () => {
    for (const [when, marks] of [
      ['falls', ['100', '99.99', '0.00000001']],
      ['rises', ['100', '100.01', '1000000']],
    ] as const) {
      for (const mark of marks) expect(fires({ price: price('100'), when }, price(mark))).toBe(true);
    }
    expect(fires({ price: price('100'), when: 'falls' }, price('100.00000001'))).toBe(false);
    expect(fires({ price: price('100'), when: 'rises' }, price('99.99999999'))).toBe(false);
  });
});

describe('A05, A21: a position closes at the tick that reached it, however far beyond', () => {
  test.each([
    ['liquidation', '90.5', '-9.5'],
    ['liquidation', '90.01', '-9.99'],
    ['stop_loss', '95', '-5'],
    ['stop_loss', '91', '-9'],
    ['take_profit', '120', '20'],
    ['take_profit', '250', '150'],
  ] as const)('%s at %s books %s', (kind, mark, pnl) => {
    const { book, position } = opened({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    const closed = book.acceptPosition(trigger(kind, position.id, mark), contextAt(mark, { now: 7 }));
    expect(closed.closing).toEqual({
      price: price(mark),
      priceSource: 'live',
      reason: kind,
      realizedPnl: money(pnl),
      at: 7,
    });
    expect(balanceOf(book.wallet)).toBe(money('1000') + money(pnl));
    expect(book.notifications).toMatchObject([{ kind, position: closed, order: null, price: price(mark) }]);
    expect(book.transactions.at(-1)).toMatchObject({ type: 'position_closed', amount: money(pnl) });
  });

  test('A03: a gap through the liquidation price costs the margin, insurance bears the rest', () => {
    const { book, position } = opened();
    const { effects } = book.accept(trigger('liquidation', position.id, '75'));
    expect(book.wallet).toMatchObject({ available: money('990'), margin: 0n });
    expect(effects.ledger[0]?.entries).toContainEqual({ account: 'insurance', amount: money('-15') });
  });

  test('the price is that of the tick, not what the market shows by now', () => {
    const { book, position } = opened();
    const { closing } = book.acceptPosition(trigger('liquidation', position.id, '90'), contextAt('130'));
    expect(closing?.price).toBe(price('90'));
  });

  test('what is charged at the close leaves 5 % of the margin at the liquidation price (A04, A07)', () => {
    const { book, position } = opened({}, '100', { feeRate: feeRate('0.0006') });
    book.accept(trigger('liquidation', position.id, position.liquidationPrice));
    // 10 − 9.44 − 0.054336
    expect(balanceOf(book.wallet)).toBe(money('1000') - money('0.06') - money('10') + money('0.505664'));
  });
});

describe('a trigger is a hint: the position as it then is decides', () => {
  test.each([
    ['liquidation', '90.51'],
    ['stop_loss', '95.01'],
    ['take_profit', '119.99'],
    ['margin_warning', '92.41'],
    ['margin_recovered', '120'],
    ['take_profit', '95'],
    ['stop_loss', '120'],
  ] as const)('%s is not crossed at %s', (kind, mark) => {
    const { book, position } = opened({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    expect(book.refusal(trigger(kind, position.id, mark))).toEqual({ code: 'not_crossed' });
  });

  test('what was taken away meanwhile does not fire', () => {
    const { book, position } = opened({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    book.accept(protect(position.id, null, price('93')));
    expect(book.refusal(trigger('stop_loss', position.id, '95'))).toEqual({ code: 'not_crossed' });
    expect(book.refusal(trigger('take_profit', position.id, '121'))).toEqual({ code: 'not_crossed' });
  });

  test('RULE-22: no position closes twice, and no account closes another one’s', () => {
    const { book, position } = opened();
    book.accept(trigger('liquidation', position.id, '90'));
    expect(book.refusal(trigger('liquidation', position.id, '90'))).toEqual({ code: 'position_closed' });
    const other = opened().position;
    expect(book.refusal(trigger('liquidation', other.id, '90'))).toEqual({ code: 'position_not_found' });
  });

  test.each(['liquidation', 'stop_loss', 'margin_warning'] as const)(
    'whichever comes first of what one tick crosses (%s), it is a liquidation',
    (kind) => {
      const { book, position } = opened({ stopLossPrice: price('95') });
      const { closing } = book.acceptPosition(trigger(kind, position.id, '90'));
      expect(closing?.reason).toBe('liquidation');
      expect(book.notifications.map((notification) => notification.kind)).toEqual(['liquidation']);
    },
  );
});

describe('A104: the margin warning, once per crossing', () => {
  test('lies at 80 % of the way to the liquidation price, its recovery at 70 %', () => {
    const at = (position: Position) => [
      toDecimalString(marginWarningPrice(position)),
      toDecimalString(marginRecoveredPrice(position)),
    ];
    expect(at(opened().position)).toEqual(['92.4', '93.35']);
    expect(at(opened({ side: 'SELL' }).position)).toEqual(['107.6', '106.65']);
  });

  test('comes before the liquidation and after the entry, and no price both warns and recovers', () => {
    fc.assert(
      fc.property(way, (position) => {
        const { side, entryPrice, liquidationPrice } = position;
        const [warning, recovered] = [marginWarningPrice(position), marginRecoveredPrice(position)];
        const [low, high] = side === 'BUY' ? [liquidationPrice, entryPrice] : [entryPrice, liquidationPrice];
        expect(low <= warning && warning <= high).toBe(true);
        expect(low <= recovered && recovered <= high).toBe(true);
        expect(side === 'BUY' ? recovered > warning : recovered < warning).toBe(true);
      }),
    );
  });

  test('where a tick is all the way there is, the two still differ', () => {
    const [entryPrice, tick] = [price('0.00001234'), price('0.00000001')];
    const long = { side: 'BUY', entryPrice, liquidationPrice: asPrice(entryPrice - tick) } as const;
    expect(marginRecoveredPrice(long)).toBe(marginWarningPrice(long) + 1n);
    const short = { side: 'SELL', entryPrice, liquidationPrice: asPrice(entryPrice + tick) } as const;
    expect(marginRecoveredPrice(short)).toBe(marginWarningPrice(short) - 1n);
  });

  test('warns, is silent while the price stays below 70 %, and warns again after a recovery', () => {
    const { book, position } = opened();
    const { wallet } = book;
    const notified = () => book.notifications.map(({ kind, price: at }) => [kind, at]);

    const { effects } = book.accept(trigger('margin_warning', position.id, '92.4'));
    expect(effects).toMatchObject({ ledger: [], transactions: [] });
    expect(now(book, position)).toMatchObject({ marginWarned: true, closing: null, version: 2 });
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 1 });
    expect(notified()).toEqual([['margin_warning', price('92.4')]]);

    for (const mark of ['92', '93.34', '91']) {
      expect(book.refusal(trigger('margin_warning', position.id, mark))).toEqual({ code: 'not_crossed' });
      expect(book.refusal(trigger('margin_recovered', position.id, mark))).toEqual({ code: 'not_crossed' });
    }
    book.accept(trigger('margin_recovered', position.id, '93.35'));
    expect(now(book, position)).toMatchObject({ marginWarned: false, version: 3 });
    expect(notified()).toEqual([['margin_warning', price('92.4')]]);

    book.accept(trigger('margin_warning', position.id, '91'));
    expect(notified()).toEqual([
      ['margin_warning', price('92.4')],
      ['margin_warning', price('91')],
    ]);
  });

  test('once per crossing, for any path of the price', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Side>('BUY', 'SELL'),
        fc.array(fc.integer({ min: -94, max: 150 }), { maxLength: 40 }),
        (side, path) => {
          const { book, position } = opened({ side, size: size('0.1') });
          let [warned, warnings] = [false, 0];
          for (const tenths of path) {
            // So many tenths of a percent against the entry; the liquidation lies at 95 of them.
            const mark = asPrice(price('100') + (side === 'BUY' ? 1n : -1n) * BigInt(tenths) * price('0.1'));
            for (const armed of triggersOf(now(book, position))) {
              if (fires(armed, mark)) book.accept(trigger(armed.kind, position.id, mark));
            }
            if (!warned && tenths <= -76) {
              warned = true;
              warnings += 1;
            } else if (warned && tenths >= -66) warned = false;
            expect(now(book, position).marginWarned).toBe(warned);
          }
          expect(book.notifications).toHaveLength(warnings);
        },
      ),
    );
  });
});

test('A03, A04: any firing tick ends a position once, at that tick, with a loss within its margin', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Side>('BUY', 'SELL'),
      fc.integer({ min: 1, max: 125 }),
      fc.constantFrom(...mainRuleSetNames),
      fc.bigInt({ min: 1n, max: 500_000n }).map((units) => asSize(units * 100_000n)),
      fc.bigInt({ min: 1n, max: 40_000n }).map((cents) => asPrice(cents * 1_000_000n)),
      fc.bigInt({ min: 0n, max: 500_000n }).map((rate) => feeRate(toDecimalString(rate))),
      (side, leverage, rules, amount, mark, rate) => {
        const book = new Book('60000');
        const context = contextAt('100', { rules, feeRate: rate });
        const position = book.acceptPosition(open({ side, leverage, size: amount }), context);
        const { wallet } = book;
        const fired = triggersOf(position).filter((armed) => fires(armed, mark));
        for (const { kind } of fired) {
          const command = trigger(kind, position.id, mark);
          if (now(book, position).closing) expect(book.refusal(command)?.code).toBe('position_closed');
          else book.accept(command);
        }
        const { closing } = now(book, position);
        expect(closing !== null).toBe(isLiquidated(side, position.liquidationPrice, mark));
        if (!closing) return;
        expect(closing).toMatchObject({ price: mark, reason: 'liquidation', priceSource: 'live' });
        expect(book.wallet.available).toBeGreaterThanOrEqual(wallet.available);
        expect(book.wallet).toMatchObject({ margin: 0n, orderMargin: 0n });
      },
    ),
  );
});
