import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  coarsePair,
  contextAt,
  feeRate,
  held,
  marketOf,
  money,
  open,
  pair,
  price,
  protect,
  size,
} from '../../test/engine.ts';
import { asPrice, asSize, toDecimalString } from '../money.ts';
import { balanceOf } from './types.ts';

describe('A08: the worked example at leverage 10', () => {
  test.each([
    ['standard', '1001'],
    ['as-specified', '1010'],
  ] as const)('under %s 1000/1000 becomes 1000/990 and closes at 101 to %s', (rules, end) => {
    const book = new Book('1000');
    const position = book.acceptPosition(open(), contextAt({}, { rules }));
    expect(toDecimalString(balanceOf(book.wallet))).toBe('1000');
    expect(toDecimalString(book.wallet.available)).toBe('990');
    book.accept(close(position.id), contextAt('101', { rules }));
    expect(toDecimalString(balanceOf(book.wallet))).toBe(end);
    expect(toDecimalString(book.wallet.available)).toBe(end);
  });
});

describe('RULE-07 RULE-08: what a close books', () => {
  // Entry 100, size 1, L = 10, so the margin is 10: side, rules, exit, realized PnL.
  test.each([
    ['BUY', 'standard', '104', '4'],
    ['BUY', 'standard', '96', '-4'],
    ['SELL', 'standard', '104', '-4'],
    ['SELL', 'standard', '96', '4'],
    ['BUY', 'as-specified', '104', '40'],
    ['BUY', 'as-specified', '99.5', '-5'],
    ['SELL', 'as-specified', '99', '10'],
    ['SELL', 'as-specified', '100.25', '-2.5'],
  ] as const)('%s under %s at %s books %s', (side, rules, exit, result) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ side }), contextAt({}, { rules }));
    const closed = book.acceptPosition(close(id), contextAt(exit));
    expect(closed.closing?.realizedPnl).toBe(money(result));
    expect(balanceOf(book.wallet)).toBe(money('1000') + money(result));
    expect(book.transactions.at(-1)).toMatchObject({
      type: 'position_closed',
      amount: money(result),
      description: 'Closed BTCUSDT position',
    });
  });
});

describe('RULE-19 RULE-20 RULE-21 A24: the close price falls back live, mark, entry', () => {
  test.each([
    ['live', { price: price('103') }, '103'],
    ['mark', { price: price('103'), stale: true }, '103'],
    ['entry', null, '100'],
  ] as const)('%s', (source, quote, closePrice) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open());
    const { closing } = book.acceptPosition(close(id), contextAt(quote));
    expect(closing).toMatchObject({ priceSource: source, price: price(closePrice), reason: 'manual' });
  });
});

test('A03: a close beyond the margin books the excess to insurance', () => {
  const book = new Book('10');
  const { id } = book.acceptPosition(open());
  const { effects } = book.accept(close(id), contextAt('75'));
  expect(book.wallet).toMatchObject({ available: 0n, margin: 0n });
  expect(effects.ledger[0]?.entries).toEqual([
    { account: 'user:margin', amount: money('-10') },
    { account: 'house:pnl', amount: money('25') },
    { account: 'insurance', amount: money('-15') },
  ]);
});

test('RULE-22 A23: an unknown position and a second close are refused', () => {
  const book = new Book('1000');
  expect(book.refusal(close('unknown'))?.code).toBe('position_not_found');
  const { id } = book.acceptPosition(open());
  book.accept(close(id));
  expect(book.refusal(close(id))?.code).toBe('position_closed');
  expect(book.refusal(close(id, { size: size('0.5') }))?.code).toBe('position_closed');
});

test('A98: nothing closes by a click while its market is shut, an old price or none is no obstacle', () => {
  const book = new Book('1000');
  const { id } = book.acceptPosition(open());
  expect(book.refusal(close(id), contextAt({ marketOpen: false }))).toEqual({ code: 'market_closed' });
  expect(book.refusal(close(id), contextAt({ stale: true }))).toBeNull();
  expect(book.refusal(close(id), contextAt(null))).toBeNull();
});

test.each([
  ['the whole', {}],
  ['a part', { size: size('0.5') }],
])(
  'ENG-3 A110: while a newer price is held back %s closes neither at the last one nor at the entry',
  (_, more) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open());
    expect(book.refusal(close(id, more), contextAt(held))).toEqual({ code: 'price_stale' });
    // The market being shut is the graver reason.
    expect(book.refusal(close(id, more), contextAt({ ...held, marketOpen: false }))?.code).toBe(
      'market_closed',
    );
    expect(book.refusal(close(id, more), contextAt('60'))).toBeNull();
  },
);

test('A72: a restricted trader closes', () => {
  const book = new Book('1000');
  const { id } = book.acceptPosition(open());
  book.restricted = true;
  expect(book.refusal(close(id))).toBeNull();
});

test('A01: a position is closed under the rules it was opened under', () => {
  const book = new Book('1000');
  const { id } = book.acceptPosition(open(), contextAt({}, { rules: 'as-specified' }));
  const closed = book.acceptPosition(close(id), contextAt('101', { rules: 'standard' }));
  expect(closed.closing?.realizedPnl).toBe(money('10'));
});

describe('A07: the fee of the close', () => {
  const rate = { feeRate: feeRate('0.0006') };
  test('is the rate of the opening on the value at the close, beside a realized PnL before fees', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open(), contextAt({}, rate));
    const closed = book.acceptPosition(close(id), contextAt('110', { feeRate: feeRate('0.005') }));
    expect(closed.closing?.realizedPnl).toBe(money('10'));
    expect(closed.fees).toBe(money('0.126'));
    expect(balanceOf(book.wallet)).toBe(money('1009.874'));
    expect(book.transactions.at(-1)).toMatchObject({ type: 'fee', amount: money('-0.066') });
  });

  test('takes at most what margin and PnL leave', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open(), contextAt({}, rate));
    const closed = book.acceptPosition(close(id), contextAt('90.01'));
    expect(closed.closing?.realizedPnl).toBe(money('-9.99'));
    expect(closed.fees).toBe(money('0.07'));
    const bankrupt = book.acceptPosition(open(), contextAt({}, rate));
    expect(book.acceptPosition(close(bankrupt.id), contextAt('80')).fees).toBe(money('0.06'));
    expect(book.transactions.at(-1)?.type).toBe('position_closed');
  });
});

describe('A23: a part', () => {
  test('is closed under an id of its own; the rest keeps id, protection and what the opening was charged', () => {
    const book = new Book('1000');
    const context = contextAt({}, { feeRate: feeRate('0.001') });
    const whole = book.acceptPosition(
      open({ size: size('4'), takeProfitPrice: price('120'), stopLossPrice: price('95') }),
      context,
    );
    const { effects } = book.accept(close(whole.id, { size: size('1') }), contextAt('110'));
    const [rest, part] = effects.positions;
    expect(rest?.before).toEqual(whole);
    expect(rest?.after).toMatchObject({
      id: whole.id,
      size: size('3'),
      margin: money('30'),
      fees: money('0.4'),
      takeProfitPrice: price('120'),
      stopLossPrice: price('95'),
      closing: null,
      version: 2,
    });
    expect(part?.before).toBeNull();
    expect(part?.after).toMatchObject({
      splitFrom: whole.id,
      size: size('1'),
      margin: money('10'),
      fees: money('0.11'),
      closing: { realizedPnl: money('10'), reason: 'manual', priceSource: 'live' },
      createdAt: whole.createdAt,
      version: 1,
    });
    expect(part?.after.id).not.toBe(whole.id);
    expect(effects.ledger[0]).toMatchObject({
      kind: 'split',
      sourceId: whole.id,
      entries: [
        { account: 'user:margin', amount: money('-10') },
        { account: 'user:margin', amount: money('10'), sourceId: part?.after.id },
      ],
    });
    expect(book.wallet).toMatchObject({ margin: money('30'), available: money('979.49') });
  });

  test('of the whole size closes the position itself', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open());
    const closed = book.acceptPosition(close(id, { size: size('1') }), contextAt('101'));
    expect(closed).toMatchObject({ id, splitFrom: null, closing: { realizedPnl: money('1') } });
  });

  // Of 10 in whole steps, where the least amount is 5.
  test.each([
    ['0', '1', '5'],
    ['-1', '1', '5'],
    ['0.5', '1', '5'],
    ['5.5', '1', '5'],
    ['6', '1', '5'],
    ['11', '1', '5'],
  ])('of %s of 10 is refused, and the text states what there may be', (part, min, max) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ symbol: coarsePair.symbol, size: size('10') }));
    expect(book.refusal(close(id, { size: size(part) }))).toEqual({
      code: 'amount_out_of_range',
      range: { min, max, step: '1' },
    });
  });

  test.each(['1', '5', '10'])('of %s of 10 is taken', (part) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ symbol: coarsePair.symbol, size: size('10') }));
    expect(book.acceptPosition(close(id, { size: size(part) })).size).toBe(size(part));
  });

  test('is none where the rest could not be traded: only the whole may be closed', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ symbol: coarsePair.symbol, size: size('5') }));
    expect(book.refusal(close(id, { size: size('1') }))).toEqual({
      code: 'amount_out_of_range',
      range: { min: '5', max: '5', step: '1' },
    });
  });

  test('is of whole steps, also where the least amount is not', () => {
    const book = new Book('1000');
    const uneven = { ...coarsePair, minQty: size('2.5') };
    const { id } = book.acceptPosition(open({ symbol: uneven.symbol, size: size('10') }));
    const context = contextAt({}, { market: { ...contextAt().market, pair: () => uneven } });
    expect(book.refusal(close(id, { size: size('8') }), context)).toEqual({
      code: 'amount_out_of_range',
      range: { min: '1', max: '7', step: '1' },
    });
    expect(book.refusal(close(id, { size: size('7') }), context)).toBeNull();
  });

  test('too small to hold a margin is refused', () => {
    const book = new Book('1000');
    const dust = { ...pair, symbol: 'DUST', minPrice: asPrice(1n), tickSize: asPrice(1n) };
    const market = {
      pair: () => dust,
      quote: () => ({ price: asPrice(1n), stale: false, held: false, marketOpen: true }),
    };
    const { id } = book.acceptPosition(
      open({ symbol: 'DUST', size: size('100'), leverage: 100 }),
      contextAt({}, { market }),
    );
    expect(book.refusal(close(id, { size: size('0.5') }), contextAt({}, { market }))).toEqual({
      code: 'amount_too_small',
    });
  });

  test('of a pair that there is no more is refused, the whole is not', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open());
    const market = { ...marketOf({}), pair: () => undefined };
    expect(book.refusal(close(id, { size: size('0.5') }), contextAt({}, { market }))?.code).toBe(
      'unknown_symbol',
    );
    expect(book.refusal(close(id), contextAt({}, { market }))).toBeNull();
  });

  test('by part in any steps ends where one close of the whole does, to a unit of rounding each', () => {
    const steps = fc.array(fc.bigInt({ min: 1n, max: 400n }), { maxLength: 12 });
    fc.assert(
      fc.property(
        steps,
        fc.bigInt({ min: 1n, max: 3_000_000n }),
        fc.constantFrom('BUY', 'SELL'),
        fc.constantFrom('standard' as const, 'as-specified' as const),
        (parts, ticks, side, rules) => {
          const exit = contextAt({ price: asPrice(ticks * 10_000n) });
          const opening = open({ side, size: size('1.234'), leverage: 7 });
          const [inParts, atOnce] = [new Book('1000'), new Book('1000')];
          const { id, margin } = inParts.acceptPosition(opening, contextAt({}, { rules }));
          let closes = 1n;
          for (const part of parts) {
            const command = close(id, { size: asSize(part * 100_000n) });
            if (inParts.position(id)?.closing || inParts.refusal(command, exit)) continue;
            inParts.accept(command, exit);
            closes += 1n;
          }
          const all = [...inParts.positions.values()];
          expect(all.reduce((sum, of) => sum + of.size, 0n)).toBe(size('1.234'));
          expect(all.reduce((sum, of) => sum + of.margin, 0n)).toBe(margin);
          if (!inParts.position(id)?.closing) inParts.accept(close(id), exit);
          const other = atOnce.acceptPosition(opening, contextAt({}, { rules }));
          atOnce.accept(close(other.id), exit);
          const difference = balanceOf(inParts.wallet) - balanceOf(atOnce.wallet);
          expect(difference <= closes && difference >= -closes).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('A108: has the first stop loss of the whole, from which its R is computed', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ stopLossPrice: price('95') }));
    book.accept(protect(id, null, price('98')));
    const part = book.acceptPosition(close(id, { size: size('0.5') }));
    expect(part.initialStopLossPrice).toBe(price('95'));
  });
});
