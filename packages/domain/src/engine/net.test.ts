import { describe, expect, test } from 'vitest';
import {
  amend,
  Book,
  cancel,
  close,
  money,
  netContextAt,
  open,
  pair,
  place,
  price,
  size,
} from '../../test/engine.ts';
import { asPrice, NO_MONEY } from '../money.ts';
import type { Command, PlaceCommand } from './commands.ts';
import { orderTriggerOf } from './protection.ts';
import type { Position } from './types.ts';

const buy = (amount: string) => open({ side: 'BUY', size: size(amount), leverage: 20 });
const sell = (amount: string) => open({ side: 'SELL', size: size(amount), leverage: 20 });
const limit = (side: string, amount: string, at: string, more: Partial<PlaceCommand> = {}) =>
  place({ type: 'LIMIT', side, size: size(amount), price: price(at), leverage: 20, ...more });

const openOf = (book: Book): Position => {
  const [position, ...others] = book.openPositions();
  if (!position || others.length > 0) throw new Error(`${others.length} more positions`);
  return position;
};
const refusedFor = (book: Book, command: Command, context = netContextAt()) => {
  const decision = book.decide(command, context);
  return decision.outcome === 'refused' ? decision.refusal : null;
};

describe('A113: one net position a symbol', () => {
  test('the same side increases: entry and margin are exact sums, and the liquidation follows', () => {
    const book = new Book('1000');
    book.accept(buy('1'), netContextAt('100'));
    book.accept(buy('3'), netContextAt('110', { now: 9_000_000_000 }));
    const position = openOf(book);
    // 1 at 100.01; 1 at 110.01 and 2 at 110.02.
    expect(position).toMatchObject({
      size: size('4'),
      entryValue: money('430.06'),
      entryPrice: price('107.515'),
      margin: money('21.503'),
      leverage: 20,
    });
    expect(position.liquidationPrice).toBe(price('102.55'));
    expect(book.executions.map(({ positionId }) => positionId)).toEqual([position.id, position.id]);
  });

  test('the other side reduces and books its part; the rest keeps what the rounding leaves', () => {
    const book = new Book('1000');
    book.accept(buy('3'), netContextAt('100'));
    const closed = book.acceptPosition(sell('1'), netContextAt('105'));
    expect(closed).toMatchObject({ size: size('1'), closing: { price: price('104.99'), reason: 'manual' } });
    // 300.05 was paid for three, so 100.01666667 for this one.
    expect(closed.closing?.realizedPnl).toBe(money('4.97333333'));
    expect(openOf(book)).toMatchObject({ size: size('2'), entryValue: money('200.03333333') });
    book.accept(sell('2'), netContextAt('105'));
    expect(book.openPositions()).toEqual([]);
    const realized = book.executions.reduce((sum, { realizedPnl }) => sum + (realizedPnl ?? 0n), 0n);
    const [bought, ...sold] = book.executions;
    expect(realized).toBe(sold.reduce((sum, { value }) => sum + value, 0n) - (bought?.value ?? 0n));
  });

  test('beyond it flips in one execution, which names both positions', () => {
    const book = new Book('1000');
    const long = book.acceptPosition(buy('1'), netContextAt('100'));
    book.accept(sell('3'), netContextAt('105'));
    expect(book.position(long.id)?.closing).toMatchObject({ realizedPnl: money('4.97333333') });
    const short = openOf(book);
    // 104.99 and twice 104.98 make 314.95; a third of it closes, rounded down.
    expect(short).toMatchObject({ side: 'SELL', size: size('2'), entryValue: money('209.96666667') });
    expect(book.executions.at(-1)).toMatchObject({
      positionId: short.id,
      flippedFrom: long.id,
      size: size('3'),
      value: money('314.95'),
      realizedPnl: money('4.97333333'),
    });
  });

  test('a reverse is one trade of twice the size', () => {
    const book = new Book('1000');
    const long = book.acceptPosition(buy('1'), netContextAt('100'));
    book.accept({ kind: 'reverse', positionId: long.id, expectedPrice: null }, netContextAt('100'));
    expect(openOf(book)).toMatchObject({ side: 'SELL', size: size('1') });
  });

  test('staff cannot edit what is the sum of executions', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    const edit = { kind: 'edit', positionId: id, edit: {}, expectedVersion: null, reason: 'why' } as const;
    expect(refusedFor(book, edit)).toEqual({ code: 'net_position_fixed' });
  });

  test('the brackets bound the size at a leverage, and the account’s cap the leverage', () => {
    const book = new Book('1000000');
    const large = open({ side: 'BUY', size: size('13'), leverage: 20 });
    expect(refusedFor(book, large, netContextAt('900000'))).toMatchObject({
      code: 'position_too_large',
      leverage: 20,
      max: money('10000000'),
    });
    expect(refusedFor(book, buy('1'), netContextAt('100', { leverageMax: 10 }))).toEqual({
      code: 'leverage_capped',
      max: 10,
    });
  });
});

describe('A114: executions', () => {
  test('price = mid + spread + impact, and a quote is named', () => {
    const book = new Book('1000');
    book.accept(buy('2'), netContextAt('100', { fillProfile: 'pro' }));
    expect(book.executions[0]).toMatchObject({
      ...{ mid: price('100'), price: price('100.015'), value: money('200.03'), quoteId: 'q10000000000' },
      ...{ spreadCost: price('0.01'), impactCost: price('0.005'), latencyCost: 0n, liquidity: 'taker' },
      // 0.05 % of the value.
      fee: money('0.100015'),
    });
  });

  test('what the account has just taken is gone from its own book, and the id of the quote states it', () => {
    const book = new Book('1000');
    const context = netContextAt('100');
    book.accept(buy('1'), context);
    book.accept(buy('1'), context);
    expect(book.executions[1]).toMatchObject({ price: price('100.02'), quoteId: 'q10000000000~0~100000000' });
    const after = netContextAt('100', { now: context.now + 4_000 });
    book.accept(buy('1'), after);
    expect(book.executions[2]?.price).toBe(price('100.01'));
  });

  test('an order that names another quote than the current one is refused', () => {
    const book = new Book('1000');
    expect(refusedFor(book, { ...buy('1'), quoteId: 'old' })).toEqual({ code: 'quote_changed' });
    book.accept({ ...buy('1'), quoteId: 'q10000000000' }, netContextAt('100'));
  });

  test('without a book nothing trades, and an account ends at the last price', () => {
    const book = new Book('1000');
    expect(refusedFor(book, buy('1'), netContextAt('100', { book: null }))).toMatchObject({
      code: 'no_quote',
    });
    book.accept(buy('1'), netContextAt('100'));
    book.accept(
      { kind: 'reset', startBalance: money('500') },
      netContextAt({ price: price('90'), marketOpen: false }, { book: null }),
    );
    expect(book.executions.at(-1)).toMatchObject({ price: price('90'), quoteId: null, spreadCost: 0n });
    expect(book.wallet.available).toBe(money('500'));
  });

  test('a liquidation takes the whole position, what the levels lack at the last of them', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('13'), netContextAt('100'));
    book.accept(buy('13'), netContextAt('100', { now: 9_000_000_000 }));
    const position = openOf(book);
    expect(position.size).toBe(size('26'));
    const at = netContextAt('95', { now: 9_000_010_000 });
    book.accept({ kind: 'trigger', trigger: 'liquidation', positionId: id, price: price('95') }, at);
    const closed = book.position(id);
    expect(closed?.closing).toMatchObject({ reason: 'liquidation' });
    expect(book.executions.at(-1)).toMatchObject({ size: size('26'), mid: price('95') });
    expect(closed?.closing?.realizedPnl).toBe(-(closed?.margin ?? 0n));
  });

  test.each([
    ['held', { stale: true, held: true }],
    ['stale', { stale: true }],
    ['of a closed market', { marketOpen: false }],
  ])('a trigger closes on the last book, while the price is %s', (_, quote) => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    const at = netContextAt({ price: price('95'), ...quote });
    book.accept({ kind: 'trigger', trigger: 'liquidation', positionId: id, price: price('94') }, at);
    expect(book.executions.at(-1)).toMatchObject({ price: price('94.99'), mid: price('95') });
  });

  test('a close at an old price pays the spread as well', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    book.accept(close(id), netContextAt({ price: price('100'), stale: true }));
    expect(book.executions.at(-1)).toMatchObject({ price: price('99.99'), spreadCost: price('0.01') });
  });

  test('a position of a symbol without any price ends at what was paid for it', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('3'), netContextAt('100'));
    const { market, ...rest } = netContextAt('100');
    book.accept(
      { kind: 'reset', startBalance: money('1000') },
      { ...rest, market: { ...market, quote: () => undefined } },
    );
    expect(book.position(id)?.closing).toMatchObject({ priceSource: 'entry', realizedPnl: 0n });
  });

  test('it may end in parts, each at what was paid for it', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('24'));
    // As splits leave it: each part takes the nearest share of the value.
    book.positions.set(id, {
      ...book.position(id)!,
      entryPrice: price('24.33333333'),
      entryValue: money('24.33333336'),
    });
    const { market, ...rest } = netContextAt('24');
    const priceless = { ...rest, market: { ...market, quote: () => undefined, book: () => undefined } };
    for (const part of ['0.031', '0.007', '0.213', '0.011', '0.101', '0.017'])
      book.accept(close(id, { size: size(part) }), priceless);
    book.accept(close(id), priceless);
    expect(book.position(id)?.closing).toMatchObject({ priceSource: 'entry', realizedPnl: 0n });
    const paid = book.executions.slice(1).reduce((sum, { value }) => sum + value, 0n);
    expect(paid).toBe(money('24.33333336'));
  });

  test('beyond the levels what must close whole pays more', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('13'), netContextAt('100'));
    book.accept(buy('13'), netContextAt('100', { now: 9_000_000_000 }));
    book.accept(
      { kind: 'protect', positionId: id, takeProfitPrice: price('101'), stopLossPrice: null },
      netContextAt('100'),
    );
    const at = netContextAt('101', { now: 9_000_010_000 });
    book.accept({ kind: 'trigger', trigger: 'take_profit', positionId: id, price: price('101') }, at);
    const sold = book.executions.at(-1);
    expect(sold?.size).toBe(size('26'));
    // 13 trade for 1,312.45, the last of them at 100.95; 13 more half of the book's width of 0.05 beyond.
    expect(sold?.value).toBe(money('2624.47508034'));
  });

  test('a close takes what the levels hold and leaves the rest open', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('13'), netContextAt('100'));
    book.accept(buy('13'), netContextAt('100', { now: 9_000_000_000 }));
    const closed = book.acceptPosition(close(id), netContextAt('100', { now: 9_000_010_000 }));
    expect(closed.size).toBe(size('13'));
    expect(openOf(book).size).toBe(size('13'));
  });
});

describe('A113: orders', () => {
  test('a LIMIT takes what is within its price, and the rest waits with its reserve', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(limit('BUY', '5', '100.02'), netContextAt('100'));
    expect(order).toMatchObject({
      status: 'PARTIALLY_FILLED',
      filledSize: size('3'),
      filledValue: money('300.05'),
    });
    expect(order.reserved).toBe(money('10.002'));
    expect(book.wallet.orderMargin).toBe(money('10.002'));
  });

  test('IOC expires the rest, FOK takes all or nothing, GTX takes nothing', () => {
    const book = new Book('1000');
    const ioc = book.acceptOrder(limit('BUY', '5', '100.02', { timeInForce: 'IOC' }), netContextAt('100'));
    expect(ioc).toMatchObject({ status: 'EXPIRED', filledSize: size('3'), reserved: NO_MONEY });
    const later = () => netContextAt('100', { now: 9_000_000_000 });
    expect(refusedFor(book, limit('BUY', '5', '100.02', { timeInForce: 'FOK' }), later())).toEqual({
      code: 'order_not_fillable',
      size: size('3'),
    });
    expect(refusedFor(book, limit('BUY', '5', '100.01', { timeInForce: 'GTX' }), later())).toMatchObject({
      code: 'order_would_take',
      best: price('100.01'),
    });
    const post = book.acceptOrder(limit('BUY', '5', '100', { timeInForce: 'GTX' }), later());
    expect(post).toMatchObject({ status: 'NEW', filledSize: 0n });
    expect(refusedFor(book, limit('BUY', '1', '100', { timeInForce: 'DAY' }))).toEqual({
      code: 'time_in_force_invalid',
    });
    const market = place({ type: 'MARKET', price: null, timeInForce: 'GTX' });
    expect(refusedFor(book, market)).toEqual({ code: 'time_in_force_invalid' });
  });

  test('a MARKET order beyond the levels ends EXPIRED for the rest', () => {
    const book = new Book('10000');
    const order = book.acceptOrder(
      place({ type: 'MARKET', side: 'BUY', size: size('20'), price: null, leverage: 20 }),
      netContextAt('100'),
    );
    expect(order).toMatchObject({ status: 'EXPIRED', filledSize: size('13') });
    expect(openOf(book).size).toBe(size('13'));
  });

  test('A114: a waiting order fills as maker at its own price once the book has passed it, a tenth of the minute at a time', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(limit('BUY', '3', '99'), netContextAt('100', { now: 60_000 }));
    const fill = (at: string): Command => ({ kind: 'fill', orderId: order.id, price: price(at) });
    expect(refusedFor(book, fill('99'), netContextAt('99', { now: 61_000 }))).toEqual({
      code: 'not_crossed',
    });
    // The ask is at the order's price, and not yet beyond it.
    expect(refusedFor(book, fill('98.99'), netContextAt('98.99', { now: 61_000 }))).toEqual({
      code: 'not_crossed',
      next: { price: price('98.98'), at: 120_000 },
    });
    book.accept(fill('98.98'), netContextAt('98.98', { now: 62_000, fillProfile: 'pro' }));
    expect(book.order(order.id)).toMatchObject({ status: 'PARTIALLY_FILLED', filledSize: size('1') });
    expect(book.executions[0]).toMatchObject({
      ...{ price: price('99'), mid: price('98.98'), liquidity: 'maker', fee: money('0.0198') },
      spreadCost: price('0.02'),
    });
    expect(refusedFor(book, fill('98.98'), netContextAt('98.98', { now: 70_000 }))).toEqual({
      code: 'not_crossed',
      next: { at: 120_000 },
    });
    book.accept(fill('98.98'), netContextAt('98.98', { now: 120_000 }));
    book.accept(fill('98.98'), netContextAt('98.98', { now: 180_000 }));
    expect(book.order(order.id)).toMatchObject({
      status: 'FILLED',
      filledSize: size('3'),
      reserved: NO_MONEY,
    });
    expect(openOf(book)).toMatchObject({ size: size('3'), entryValue: money('297') });
    expect(book.wallet.orderMargin).toBe(0n);
  });

  test('A114: an order inside the spread waits for the other side, and does not fill at birth', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(limit('BUY', '1', '100', { timeInForce: 'GTX' }), netContextAt('100'));
    const fill: Command = { kind: 'fill', orderId: order.id, price: price('99.99') };
    expect(refusedFor(book, fill, netContextAt('99.99'))).toMatchObject({
      code: 'not_crossed',
      next: { price: price('99.98') },
    });
  });

  test.each([
    ['price_stale', { stale: true }],
    ['price_stale', { stale: true, held: true }],
    ['market_closed', { marketOpen: false }],
  ])(
    'A37, A98: where nothing trades (%s), only an order waits that the last book would not fill',
    (code, quote) => {
      const book = new Book('1000');
      const at = () => netContextAt({ price: price('100'), ...quote });
      expect(refusedFor(book, limit('BUY', '1', '100.01'), at())).toMatchObject({ code });
      expect(refusedFor(book, limit('BUY', '1', '99', { timeInForce: 'IOC' }), at())).toMatchObject({ code });
      expect(refusedFor(book, limit('BUY', '1', '99', { quoteId: 'other' }), at())).toMatchObject({
        code: 'quote_changed',
      });
      expect(book.acceptOrder(limit('BUY', '1', '100'), at())).toMatchObject({ status: 'NEW' });
    },
  );

  test('the trader who changes a stop loss keeps it, whatever the rest of the order states', () => {
    const book = new Book('1000');
    const stated = { stopLossPrice: price('90') };
    const order = book.acceptOrder(limit('BUY', '2', '99', stated), netContextAt('100', { now: 60_000 }));
    const fill: Command = { kind: 'fill', orderId: order.id, price: price('98.9') };
    book.accept(fill, netContextAt('98.9', { now: 61_000 }));
    const { id, stopLossPrice } = openOf(book);
    expect(stopLossPrice).toBe(price('90'));
    const moved = {
      kind: 'protect',
      positionId: id,
      takeProfitPrice: null,
      stopLossPrice: price('95'),
    } as const;
    book.accept(moved, netContextAt('98.9'));
    book.accept(fill, netContextAt('98.9', { now: 121_000 }));
    expect(openOf(book)).toMatchObject({ size: size('2'), stopLossPrice: price('95') });
  });

  test('an order that first closes the other side gives its stop loss to what it opens', () => {
    const book = new Book('2000');
    book.accept(sell('2'), netContextAt('100'));
    const order = book.acceptOrder(
      limit('BUY', '3', '99', { stopLossPrice: price('90') }),
      netContextAt('100', { now: 60_000 }),
    );
    for (const minute of [1, 2, 3]) {
      const fill: Command = { kind: 'fill', orderId: order.id, price: price('98') };
      book.accept(fill, netContextAt('98', { now: minute * 60_000 + 1 }));
    }
    expect(openOf(book)).toMatchObject({ side: 'BUY', size: size('1'), stopLossPrice: price('90') });
  });

  test('the parts of an order lock no more than it has reserved', () => {
    const order = limit('BUY', '2.001', '99.02', { leverage: 3 });
    const cost = new Book('1000').acceptOrder(order, netContextAt('100')).reserved;
    const book = new Book((Number(cost) / 1e8).toFixed(8));
    const { id } = book.acceptOrder(order, netContextAt('100', { now: 60_000 }));
    for (const minute of [1, 2, 3]) {
      book.accept(
        { kind: 'fill', orderId: id, price: price('98') },
        netContextAt('98', { now: minute * 60_000 + 1 }),
      );
    }
    expect(book.order(id)).toMatchObject({ status: 'FILLED', reserved: NO_MONEY });
  });

  test('an order at the lowest price waits for nothing', () => {
    const order = new Book('1000').acceptOrder(limit('BUY', '1', '0.01'), netContextAt('100'));
    expect(orderTriggerOf({ ...order, price: asPrice(1n) })).toBeNull();
    expect(orderTriggerOf(order)).toMatchObject({ when: 'falls' });
  });

  test('a reduce-only order reserves nothing, never opens, and ends with what it was for', () => {
    const book = new Book('1000');
    expect(refusedFor(book, limit('SELL', '1', '110', { reduceOnly: true }))).toMatchObject({
      code: 'nothing_to_reduce',
    });
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    const order = book.acceptOrder(limit('SELL', '5', '110', { reduceOnly: true }), netContextAt('100'));
    expect(order.reserved).toBe(0n);
    book.accept(close(id), netContextAt('100'));
    book.accept({ kind: 'fill', orderId: order.id, price: price('111') }, netContextAt('111'));
    expect(book.order(order.id)?.status).toBe('EXPIRED');
    expect(book.notifications.at(-1)?.kind).toBe('order_expired');
    expect(book.openPositions()).toEqual([]);
  });

  test('an order that reduces needs no money for that part', () => {
    const book = new Book('5.01');
    book.accept(buy('1'), netContextAt('100'));
    const order = book.acceptOrder(limit('SELL', '1', '110'), netContextAt('100'));
    expect(order.reserved).toBe(0n);
    expect(refusedFor(book, limit('SELL', '1', '111'))).toMatchObject({ code: 'insufficient_balance' });
  });

  test('price and size are amended; an amended order may take at once', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(limit('BUY', '2', '99'), netContextAt('100'));
    book.accept({ ...amend(order.id, '99.5'), size: size('3') }, netContextAt('100'));
    expect(book.order(order.id)).toMatchObject({ price: price('99.5'), size: size('3'), status: 'NEW' });
    book.accept(amend(order.id, '100.02'), netContextAt('100'));
    expect(book.order(order.id)).toMatchObject({
      status: 'FILLED',
      filledSize: size('3'),
      reserved: NO_MONEY,
    });
    book.accept(limit('BUY', '2', '90'), netContextAt('100'));
  });

  test('a waiting order is canceled, partly filled or not', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(limit('BUY', '5', '100.02'), netContextAt('100'));
    expect(book.acceptOrder(cancel(order.id), netContextAt('100'))).toMatchObject({
      status: 'CANCELED',
      filledSize: size('3'),
    });
    expect(book.wallet.orderMargin).toBe(0n);
  });

  test('an order that its account cannot pay at the fill is rejected with the reason', () => {
    const book = new Book('10');
    const order = book.acceptOrder(limit('BUY', '1', '99'), netContextAt('100'));
    book.accept(open({ symbol: 'ETHUSDT', side: 'BUY', size: size('1'), leverage: 20 }), netContextAt('100'));
    expect(book.order(order.id)?.reserved).toBe(money('4.95'));
    book.accept({ kind: 'fill', orderId: order.id, price: price('98') }, netContextAt('98'));
    expect(book.order(order.id)?.status).toBe('FILLED');
  });

  test('a restricted account reduces and opens nothing', () => {
    const book = new Book('1000');
    book.accept(buy('1'), netContextAt('100'));
    book.restricted = true;
    expect(refusedFor(book, buy('1'))).toEqual({ code: 'account_restricted' });
    expect(refusedFor(book, sell('2'))).toEqual({ code: 'account_restricted' });
    book.accept(sell('1'), netContextAt('100'));
  });
});

describe('A113: leverage and margin', () => {
  const leverage = (times: number): Command => ({
    kind: 'set_leverage',
    symbol: pair.symbol,
    leverage: times,
  });
  const margin = (positionId: string, amount: string): Command => ({
    kind: 'adjust_margin',
    positionId,
    amount: money(amount),
  });

  test('a higher leverage sets margin free, a lower one waits for the close', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    book.accept(leverage(40), netContextAt('100.01'));
    expect(book.position(id)).toMatchObject({ leverage: 40, margin: money('2.50025') });
    expect(refusedFor(book, leverage(20))).toEqual({
      code: 'leverage_in_use',
      symbol: pair.symbol,
      leverage: 40,
    });
    expect(refusedFor(book, buy('1'))).toMatchObject({ code: 'leverage_in_use', leverage: 40 });
    book.accept(close(id), netContextAt('100'));
    book.accept(leverage(5), netContextAt('100'));
    expect(book.leverageOf(pair.symbol)).toBe(5);
    // An order may choose it too, while nothing of the symbol is open.
    book.accept(buy('1'), netContextAt('100', { now: 9_000_000_000 }));
    expect(book.leverageOf(pair.symbol)).toBe(20);
  });

  test('A110: no margin is set free at a price that does not trade', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    for (const [code, quote] of [
      ['price_stale', { stale: true, held: true }],
      ['market_closed', { marketOpen: false }],
    ] as const) {
      const at = netContextAt({ price: price('100'), ...quote });
      expect(refusedFor(book, leverage(40), at)).toMatchObject({ code });
      expect(refusedFor(book, margin(id, '-1'), at)).toMatchObject({ code });
      expect(refusedFor(book, margin(id, '1'), at)).toBeNull();
    }
  });

  test('a position of next to no value keeps a margin', () => {
    const book = new Book('1000');
    const tiny = netContextAt('0.01', { fillProfile: 'ideal' });
    const { id } = book.acceptPosition({ ...buy('0.001'), leverage: 20 }, tiny);
    const worth = { ...book.position(id)!, entryValue: money('0.0000004'), margin: money('0.00000002') };
    book.positions.set(id, worth);
    expect(refusedFor(book, margin(id, '-0.00000002'), tiny)).toMatchObject({ code: 'margin_beyond_free' });
    book.accept(leverage(125), tiny);
    expect(book.position(id)?.margin).toBe(1n);
  });

  test('the liquidation price of a short ends where triggers do', () => {
    const book = new Book('100000000');
    const { id } = book.acceptPosition(sell('0.001'), netContextAt('100'));
    book.accept(margin(id, '99000000'), netContextAt('100'));
    expect(book.position(id)?.liquidationPrice).toBe(price('90071992.54'));
  });

  test('margin is added and taken out, and a loss counts against what is free', () => {
    const book = new Book('1000');
    const { id, liquidationPrice } = book.acceptPosition(buy('1'), netContextAt('100'));
    book.accept(margin(id, '10'), netContextAt('100'));
    const added = book.position(id);
    expect(added).toMatchObject({ margin: money('15.0005') });
    expect(added!.liquidationPrice).toBeLessThan(liquidationPrice);
    expect(refusedFor(book, margin(id, '-10.01'), netContextAt('100.01'))).toEqual({
      code: 'margin_beyond_free',
      free: money('10'),
    });
    expect(refusedFor(book, margin(id, '-10'), netContextAt('98.01'))).toMatchObject({ free: money('8') });
    book.accept(margin(id, '-8'), netContextAt('98.01'));
    expect(book.position(id)).toMatchObject({ margin: money('7.0005') });
    expect(refusedFor(book, margin(id, '0'))).toEqual({ code: 'margin_amount_invalid' });
    expect(refusedFor(book, margin(id, '5000'))).toMatchObject({ code: 'insufficient_balance' });
  });

  test('the other rule sets have neither', () => {
    const book = new Book('1000');
    expect(refusedFor(book, leverage(5), netContextAt('100', { rules: 'standard' }))).toEqual({
      code: 'not_perpetual',
    });
    for (const terms of [{ reduceOnly: true }, { timeInForce: 'IOC' }, { quoteId: 'q' }]) {
      const standard = netContextAt('100', { rules: 'standard' });
      expect(refusedFor(book, { ...limit('BUY', '1', '99'), ...terms }, standard)).toEqual({
        code: 'not_perpetual',
      });
      expect(refusedFor(book, { ...open(), ...terms }, standard)).toEqual({ code: 'not_perpetual' });
    }
  });
});

describe('A113: an order without a leverage', () => {
  const limitOf = (leverage: number | null) => ({ ...limit('BUY', '1', '99'), leverage });

  test('has that of its symbol: the default, what was set, what a position has', () => {
    const book = new Book('1000');
    expect(book.acceptOrder(limitOf(null), netContextAt('100')).leverage).toBe(20);
    const other = new Book('1000');
    other.accept({ kind: 'set_leverage', symbol: pair.symbol, leverage: 5 }, netContextAt('100'));
    expect(other.acceptOrder(limitOf(null), netContextAt('100'))).toMatchObject({
      leverage: 5,
      reserved: money('19.8'),
    });
  });

  test('is refused in an account without net positions, where it would have none', () => {
    const refused = new Book('1000').refusal({ ...place(), leverage: null });
    expect(refused).toEqual({ code: 'leverage_invalid' });
  });
});
