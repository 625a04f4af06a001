/** Fills on a book of the exchange's own (A114), whose middle is not the last price. */
import { describe, expect, test } from 'vitest';
import { Book, netContextAt, open, place, price, size } from '../../test/engine.ts';
import type { QuotedBook } from '../perpetual/book.ts';
import type { Context, Quote } from './commands.ts';
import { InvariantViolation } from './invariant.ts';
import { assertPriced } from './soundness.ts';

const live: QuotedBook = {
  ...{ quoteId: 'l2.1.x', source: 'live', mid: price('100.035'), at: 1, minuteVolume: size('10') },
  bids: [
    { price: price('100.03'), size: size('1') },
    { price: price('100'), size: size('10') },
  ],
  asks: [
    { price: price('100.04'), size: size('1') },
    { price: price('100.10'), size: size('10') },
  ],
};
/** The last price is 100. */
const at = (quote: Partial<Quote> = {}, book: QuotedBook = live): Context => {
  const context = netContextAt({ price: price('100'), ...quote });
  return { ...context, market: { ...context.market, book: () => book } };
};
const buy = open({ side: 'BUY', size: size('2'), leverage: 20 });

describe('A114: a fill on the exchange’s book', () => {
  test('is explained from the middle of that book, to the last unit', () => {
    const account = new Book('1000');
    account.accept(buy, at());
    const [execution] = account.executions;
    expect(execution).toMatchObject({
      ...{ mid: price('100.035'), price: price('100.07'), quoteId: 'l2.1.x', liquidity: 'taker' },
      ...{ spreadCost: price('0.005'), impactCost: price('0.03'), latencyCost: 0n },
    });
  });

  test('is not written while the last price does not trade', () => {
    const account = new Book('1000');
    const decision = account.decide(buy, at());
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code);
    for (const quote of [{ stale: true }, { held: true, stale: true }, { marketOpen: false }]) {
      const { market } = at(quote);
      expect(() => assertPriced(buy, decision.effects, market, 'pro')).toThrow(InvariantViolation);
    }
    expect(() => assertPriced(buy, decision.effects, at().market, 'pro')).not.toThrow();
    const moved = { ...live, mid: price('100.03') };
    expect(() => assertPriced(buy, decision.effects, at({}, moved).market, 'pro')).toThrow(
      InvariantViolation,
    );
  });

  test('a stop loss is reached by the last price and closes on the book', () => {
    const account = new Book('1000');
    const { id } = account.acceptPosition({ ...buy, stopLossPrice: price('99') }, at());
    const fallen: QuotedBook = {
      ...live,
      mid: price('98.99'),
      bids: [{ price: price('98.98'), size: size('5') }],
      asks: [{ price: price('99'), size: size('5') }],
    };
    const hit = { kind: 'trigger', positionId: id, trigger: 'stop_loss', price: price('98.95') } as const;
    account.accept(hit, at({ price: price('98.95') }, fallen));
    expect(account.position(id)?.closing).toMatchObject({ reason: 'stop_loss', price: price('98.98') });
    expect(account.executions.at(-1)).toMatchObject({ mid: price('98.99'), spreadCost: price('0.01') });
  });

  test('a waiting order is passed by the last price, half a spread of the book and a tick beyond it', () => {
    const account = new Book('1000');
    const limit = place({ type: 'LIMIT', side: 'BUY', size: size('1'), price: price('99'), leverage: 20 });
    const order = account.acceptOrder(limit, at());
    expect(order.status).toBe('NEW');
    const fill = (tick: string) => {
      const command = { kind: 'fill', orderId: order.id, price: price(tick) } as const;
      return [command, at({ price: price(tick) })] as const;
    };
    const early = account.decide(...fill('98.99'));
    expect(early).toMatchObject({ outcome: 'refused', refusal: { next: { price: price('98.985') } } });
    account.accept(...fill('98.98'));
    expect(account.executions.at(-1)).toMatchObject({
      liquidity: 'maker',
      mid: price('98.98'),
      price: price('99'),
    });
  });
});
