import { describe, expect, test } from 'vitest';
import {
  Book,
  contextAt,
  feeRate,
  held,
  insured,
  money,
  open,
  openedBook,
  price,
  protect,
} from '../../test/engine.ts';
import type { ReverseCommand } from './commands.ts';
import { balanceOf } from './types.ts';

const reverse = (positionId: string, seen: string | null = null): ReverseCommand => ({
  kind: 'reverse',
  positionId,
  expectedPrice: seen === null ? null : price(seen),
});

test('reverse: closes the whole and opens the other side with size and leverage, at one price in one version', () => {
  const { book, position } = openedBook();
  book.accept(protect(position.id, price('120'), price('95')));
  const opened = book.acceptPosition(reverse(position.id), contextAt('104'));
  expect(opened).toMatchObject({
    side: 'SELL',
    entryPrice: price('104'),
    size: position.size,
    leverage: 10,
    margin: money('10.4'),
    takeProfitPrice: null,
    stopLossPrice: null,
    splitFrom: null,
    closing: null,
  });
  const closed = book.position(position.id);
  expect(closed?.closing).toMatchObject({ price: price('104'), reason: 'manual', realizedPnl: money('4') });
  expect(closed?.accountVersion).toBe(opened.accountVersion);
  expect(balanceOf(book.wallet)).toBe(money('1004'));
  expect(book.wallet.available).toBe(money('993.6'));
  expect(book.transactions.filter(({ type }) => type === 'position_closed')).toHaveLength(1);
});

test('A07: reverse charges the fee of the close and of the opening', () => {
  const terms = { feeRate: feeRate('0.001') };
  const book = new Book('1000');
  const { id } = book.acceptPosition(open(), contextAt({}, terms));
  const opened = book.acceptPosition(reverse(id), contextAt({}, terms));
  expect([book.position(id)?.fees, opened.fees]).toEqual([money('0.2'), money('0.1')]);
  expect(balanceOf(book.wallet)).toBe(money('999.7'));
});

describe('reverse: what the close sets free pays for the opening', () => {
  test('an account with nothing else available reverses', () => {
    const book = new Book('10');
    const { id } = book.acceptPosition(open());
    expect(book.wallet.available).toBe(0n);
    expect(book.acceptPosition(reverse(id)).margin).toBe(money('10'));
    expect(book.wallet.available).toBe(0n);
  });

  test('RULE-02: a loss that leaves too little changes nothing and names what is needed', () => {
    const book = new Book('10');
    const { id } = book.acceptPosition(open());
    const before = book.wallet;
    expect(book.decide(reverse(id), contextAt('98'))).toEqual({
      outcome: 'refused',
      refusal: { code: 'insufficient_balance', required: money('9.8'), available: money('8') },
    });
    expect(book.wallet).toBe(before);
    expect(book.position(id)?.closing).toBeNull();
  });
});

describe('reverse: is refused as an opening, and then closes nothing', () => {
  test.each([
    ['A98', { marketOpen: false }, 'market_closed'],
    ['A37', { stale: true }, 'price_stale'],
    ['A110', held, 'price_stale'],
    ['A37', null, 'no_price'],
  ] as const)('%s: %o gives %s', (_, quote, code) => {
    const { book, position } = openedBook();
    const decision = book.decide(reverse(position.id), contextAt(quote));
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { code } });
  });

  test('A18: a market beyond the price that the trader saw', () => {
    const { book, position } = openedBook();
    const decision = book.decide(reverse(position.id, '100'), contextAt('101'));
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { code: 'price_moved' } });
    expect(book.decide(reverse(position.id, '100'), contextAt('100.4')).outcome).toBe('accepted');
  });

  test('A72: a restricted trader may close, not reverse', () => {
    const { book, position } = openedBook();
    book.restricted = true;
    const decision = book.decide(reverse(position.id), contextAt());
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { code: 'account_restricted' } });
  });

  test('an unknown and a closed position', () => {
    const { book, position } = openedBook();
    expect(book.decide(reverse('nothing'), contextAt())).toMatchObject({
      refusal: { code: 'position_not_found' },
    });
    book.acceptPosition(reverse(position.id));
    expect(book.decide(reverse(position.id), contextAt())).toMatchObject({
      refusal: { code: 'position_closed' },
    });
  });
});

describe('A111: reverse beside the other side of the symbol', () => {
  test('exhausted positions are liquidated first, and what they leave is reversed', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ leverage: 10 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    const opened = book.acceptPosition(reverse(long.id), contextAt('101'));
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
    expect(opened.size).toBe(book.position(long.id)?.size);
    expect(insured(book)).toBe(0n);
  });

  test('a position with nothing left is not reversed', () => {
    const book = new Book('10000');
    book.accept(open());
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    const decision = book.decide(reverse(short.id), contextAt('101'));
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { code: 'position_closed' } });
  });
});

test('RULE-07: reverse under RULES=as-specified books the literal result and opens under the same rules', () => {
  const rules = { rules: 'as-specified' } as const;
  const book = new Book('1000');
  const { id } = book.acceptPosition(open(), contextAt({}, rules));
  const opened = book.acceptPosition(reverse(id), contextAt('101', rules));
  expect(book.position(id)?.closing?.realizedPnl).toBe(money('10'));
  expect(opened).toMatchObject({ side: 'SELL', rules: 'as-specified' });
});
