/** A21: take profit and stop loss, as they are checked and as a trader sets them. */
import { describe, expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, open, pair, price, protect } from '../../test/engine.ts';
import { asPrice, parseDecimal } from '../money.ts';
import { checkProtection, checkProtectionPrices, type Protection, type Quote } from './index.ts';

const optional = (text: string | null) => (text === null ? null : asPrice(parseDecimal(text)));
const protection = (takeProfit: string | null, stopLoss: string | null): Protection => ({
  takeProfitPrice: optional(takeProfit),
  stopLossPrice: optional(stopLoss),
});
const long = { side: 'BUY', reference: price('100'), liquidationPrice: price('90.5') } as const;
const short = { side: 'SELL', reference: price('100'), liquidationPrice: price('109.5') } as const;

describe('A21: take profit and stop loss are checked against side and price', () => {
  test.each([
    [long, '100.01', '99.99', null],
    [long, null, null, null],
    [long, '100', null, 'take_profit_side'],
    [long, '99', null, 'take_profit_side'],
    [long, null, '100', 'stop_loss_side'],
    [long, null, '101', 'stop_loss_side'],
    [long, null, '90.5', 'stop_loss_beyond_liquidation'],
    [long, null, '90.51', null],
    [long, '100.001', null, 'off_tick'],
    [long, null, '0', 'out_of_range'],
    [long, '1000000.01', null, 'out_of_range'],
    [short, '99.99', '100.01', null],
    [short, '100', null, 'take_profit_side'],
    [short, null, '100', 'stop_loss_side'],
    [short, null, '109.5', 'stop_loss_beyond_liquidation'],
    [short, null, '109.49', null],
  ] as const)('%o with take profit %s and stop loss %s: %s', (terms, takeProfit, stopLoss, code) => {
    expect(checkProtection(terms, protection(takeProfit, stopLoss), pair)?.code ?? null).toBe(code);
  });

  test.each([
    ['0.01', '1000000', null, null],
    ['0', null, 'out_of_range', 'takeProfitPrice'],
    [null, '-1', 'out_of_range', 'stopLossPrice'],
    ['1000000.01', '0', 'out_of_range', 'takeProfitPrice'],
    ['100', '99.999', 'off_tick', 'stopLossPrice'],
  ])(
    'wherever the market is, take profit %s and stop loss %s are %s: %s',
    (takeProfit, stopLoss, code, which) => {
      const limits = { min: price('0.01'), max: price('1000000'), tickSize: price('0.01') };
      expect(checkProtectionPrices(protection(takeProfit, stopLoss), pair)).toEqual(
        code && { code, which, ...limits },
      );
    },
  );
});

describe('A21: a trader sets take profit and stop loss of an open position', () => {
  const opened = () => {
    const book = new Book('1000');
    return { book, position: book.acceptPosition(open()) };
  };

  test('both are set to exactly the given values, null removes one, and nothing else changes', () => {
    const { book, position } = opened();
    const { wallet } = book;
    for (const [takeProfit, stopLoss] of [
      ['120', '95'],
      [null, '96'],
      ['110', null],
      [null, null],
    ] as const) {
      const before = book.position(position.id);
      const { effects } = book.accept(protect(position.id, optional(takeProfit), optional(stopLoss)));
      expect(effects).toMatchObject({ ledger: [], transactions: [], notifications: [], orders: [] });
      expect(book.position(position.id)).toEqual({
        ...before,
        ...protection(takeProfit, stopLoss),
        initialStopLossPrice: price('95'),
        updatedAt: expect.any(Number),
        version: (before?.version ?? 0) + 1,
        accountVersion: book.wallet.version,
      });
    }
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 4 });
  });

  test('A108: the first stop loss that it ever had stays known, whether it came with the opening or later', () => {
    const { book, position } = opened();
    book.accept(protect(position.id, price('120'), null));
    expect(book.position(position.id)?.initialStopLossPrice).toBeNull();
    book.accept(protect(position.id, null, price('95')));
    book.accept(protect(position.id, null, price('97')));
    book.accept(protect(position.id, null, null));
    expect(book.position(position.id)).toMatchObject({
      stopLossPrice: null,
      initialStopLossPrice: price('95'),
    });
    const other = book.acceptPosition(open({ stopLossPrice: price('91') }));
    book.accept(protect(other.id, null, price('97')));
    expect(book.position(other.id)?.initialStopLossPrice).toBe(price('91'));
  });

  test.each([
    ['a fresh price', { price: price('110') }, '110'],
    ['the last price of a shut market', { price: price('110'), marketOpen: false }, '110'],
    ['a stale price', { price: price('110'), stale: true }, '110'],
    ['the entry, where there never was a price', null, '100'],
  ] as const)('it is checked against %s', (_what, quote, reference) => {
    const { book, position } = opened();
    const context = contextAt(quote as Partial<Quote> | null);
    const just = price('0.01');
    const mark = price(reference);
    expect(book.refusal(protect(position.id, mark, null), context)).toMatchObject({
      code: 'protection_invalid',
      fault: { code: 'take_profit_side', mustBe: 'above', reference: mark },
      decimals: 2,
    });
    expect(book.refusal(protect(position.id, null, mark), context)).toMatchObject({
      fault: { code: 'stop_loss_side', mustBe: 'below', reference: mark },
    });
    const [above, below] = [asPrice(mark + just), asPrice(mark - just)];
    expect(book.acceptPosition(protect(position.id, above, below), context)).toMatchObject({
      takeProfitPrice: above,
      stopLossPrice: below,
    });
  });

  test('a stop loss in profit is one, on the way to the take profit', () => {
    const { book, position } = opened();
    expect(
      book.acceptPosition(protect(position.id, price('130'), price('115')), contextAt('120')),
    ).toMatchObject({
      stopLossPrice: price('115'),
    });
  });

  test('the liquidation price that bounds it is that of the position, fee and all', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open(), contextAt('100', { feeRate: feeRate('0.0006') }));
    expect(book.refusal(protect(id, null, price('90.56')))).toMatchObject({
      fault: { code: 'stop_loss_beyond_liquidation', liquidationPrice: price('90.56') },
    });
    expect(book.refusal(protect(id, null, price('90.57')))).toBeNull();
  });

  test('a closed position, an unknown one, one of another account, and one of a delisted pair', () => {
    const { book, position } = opened();
    const other = opened().position;
    expect(book.refusal(protect('unknown', null, null))).toEqual({ code: 'position_not_found' });
    expect(book.refusal(protect(other.id, null, null))).toEqual({ code: 'position_not_found' });
    const context = contextAt();
    const gone = { ...context, market: { ...context.market, pair: () => undefined } };
    expect(book.refusal(protect(position.id, null, null), gone)?.code).toBe('unknown_symbol');
    book.accept(close(position.id));
    expect(book.refusal(protect(position.id, null, null))).toEqual({ code: 'position_closed' });
  });

  test('one that the command does not name stays, and is not checked again', () => {
    const { book, position } = opened();
    book.accept(protect(position.id, price('120'), price('95')));
    book.accept(protect(position.id, price('130'), undefined));
    book.accept(protect(position.id, undefined, price('96')));
    expect(book.position(position.id)).toMatchObject(protection('130', '96'));
    // The price has gapped over the stop loss, which has not been triggered yet.
    const below = contextAt({ price: price('94') });
    expect(book.refusal(protect(position.id, null, price('96')), below)).toMatchObject({
      fault: { code: 'stop_loss_side' },
    });
    expect(book.acceptPosition(protect(position.id, null, undefined), below)).toMatchObject({
      ...protection(null, '96'),
      initialStopLossPrice: price('95'),
    });
    expect(book.acceptPosition(protect(position.id, undefined, null), below)).toMatchObject(
      protection(null, null),
    );
  });

  test('A72: a restricted trader may protect what is open', () => {
    const { book, position } = opened();
    book.restricted = true;
    expect(book.refusal(protect(position.id, null, price('95')))).toBeNull();
  });
});
