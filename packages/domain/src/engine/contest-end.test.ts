/** A112: what the end of a contest does to an account, and what it leaves to others. */
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  coarsePair,
  contextAt,
  edit,
  held,
  marketOf,
  money,
  netContextAt,
  open,
  pair,
  place,
  price,
  size,
} from '../../test/engine.ts';
import type { AccountLimits } from '../accounts.ts';
import type { ClosingMark, Command } from './commands.ts';

const ends = 2_000;
const limits: AccountLimits = {
  ...{ setBy: 'contest', symbols: null, positionsMax: null, opensFrom: 1_000, opensUntil: ends },
};
const during = { limits, now: 1_500 };
const after = { limits, now: ends };
const mark = (at: string, state: ClosingMark['state'] = 'live'): ClosingMark => ({ price: price(at), state });
const closeOut = (marks: Record<string, ClosingMark>): Command => ({ kind: 'close_out', marks });

/** A long, a short of another market, and an order that waits. */
function entrant() {
  const book = new Book('1000');
  const long = book.acceptPosition(open(), contextAt('100', during));
  const other = book.acceptPosition(
    open({ symbol: coarsePair.symbol, side: 'SELL', size: size('5') }),
    contextAt('100', during),
  );
  const waiting = book.acceptOrder(place({ price: price('90') }), contextAt('100', during));
  return { book, long, other, waiting };
}

describe('the window', () => {
  test('nothing opens before the begin; from the end on nothing is done but what the end does', () => {
    const { book, long, waiting } = entrant();
    const early = contextAt('100', { limits, now: 999 });
    expect(book.refusal(open(), early)).toEqual({ code: 'contest_not_begun', at: 1_000 });
    const over = { code: 'contest_over', at: ends };
    const commands: readonly Command[] = [
      open(),
      place({ price: price('90') }),
      close(long.id),
      { kind: 'reverse', positionId: long.id, expectedPrice: null },
      { kind: 'cancel', orderId: waiting.id },
      { kind: 'amend', orderId: waiting.id, price: price('91') },
      { kind: 'fill', orderId: waiting.id, price: price('90') },
      { kind: 'protect', positionId: long.id, takeProfitPrice: price('120') },
      { kind: 'trigger', trigger: 'liquidation', positionId: long.id, price: price('80') },
      { kind: 'adjust', amount: money('5'), reason: 'gift' },
      { kind: 'reset', startBalance: money('1000') },
      edit(long.id, { leverage: 5 }),
    ];
    for (const command of commands) expect(book.refusal(command, contextAt('90', after))).toEqual(over);
    expect(book.refusal(close(long.id), contextAt('100', { limits, now: ends - 1 }))).toBeNull();
  });

  test('other markets are refused in the name of the contest', () => {
    const few = { limits: { ...limits, symbols: ['OTHER'] }, now: 1_500 };
    expect(new Book('1000').refusal(open(), contextAt('100', few))).toEqual({
      ...{ code: 'symbol_not_allowed', symbol: pair.symbol, setBy: 'contest' },
    });
  });

  test('a restriction and a deletion concern the user and go on', () => {
    const { book } = entrant();
    expect(
      book.refusal({ kind: 'restrict', restricted: true, reason: 'fraud' }, contextAt('100', after)),
    ).toBeNull();
    expect(book.refusal({ kind: 'delete', reason: 'requested' }, contextAt('100', after))).toBeNull();
  });
});

describe('the close of what is open', () => {
  test('is refused before the end, and in an account of no contest', () => {
    const { book } = entrant();
    expect(book.refusal(closeOut({}), contextAt('100', during))?.code).toBe('not_due');
    expect(new Book('1').refusal(closeOut({}), contextAt('100'))?.code).toBe('not_due');
    const ofClass = { limits: { ...limits, setBy: 'class' as const }, now: ends };
    expect(new Book('1').refusal(closeOut({}), contextAt('100', ofClass))?.code).toBe('not_due');
  });

  test('is at the marks, whatever the prices are by then, one shut and one held', () => {
    const { book, long, other, waiting } = entrant();
    const now = marketOf({
      [pair.symbol]: { price: price('55') },
      [coarsePair.symbol]: { price: price('77'), ...held },
    });
    const { effects } = book.accept(
      closeOut({ [pair.symbol]: mark('110', 'shut'), [coarsePair.symbol]: mark('104', 'held') }),
      { ...contextAt('1', after), market: now },
    );
    expect(book.position(long.id)?.closing).toMatchObject({
      ...{ price: price('110'), priceSource: 'mark', reason: 'program_end', at: ends },
    });
    expect(book.position(other.id)?.closing).toMatchObject({ price: price('104'), priceSource: 'mark' });
    expect(book.order(waiting.id)?.status).toBe('CANCELED');
    // 10 of the long, less 5 × 4 of the short.
    expect(book.wallet).toMatchObject({ available: money('990'), margin: 0n, orderMargin: 0n });
    expect(effects.notifications).toEqual([]);
  });

  test('a live mark is a live price, and a symbol without one ends at its entry', () => {
    const { book, long, other } = entrant();
    book.accept(closeOut({ [pair.symbol]: mark('101') }), contextAt('55', after));
    expect(book.position(long.id)?.closing).toMatchObject({ price: price('101'), priceSource: 'live' });
    expect(book.position(other.id)?.closing).toMatchObject({ price: price('100'), priceSource: 'entry' });
  });

  test('loses at most the margin, and a repeat changes no money', () => {
    const book = new Book('1000');
    const long = book.acceptPosition(open({ leverage: 10 }), contextAt('100', during));
    book.accept(closeOut({ [pair.symbol]: mark('50', 'old') }), contextAt('100', after));
    expect(book.position(long.id)?.closing?.realizedPnl).toBe(-long.margin);
    const { available } = book.wallet;
    const again = book.accept(closeOut({ [pair.symbol]: mark('500') }), contextAt('100', after));
    expect(again.effects).toMatchObject({ positions: [], orders: [], ledger: [] });
    expect(book.wallet.available).toBe(available);
  });

  test('a net position ends at the mark, and not on the book', () => {
    const book = new Book('100000');
    const buy = open({ side: 'BUY', size: size('1') });
    const opened = book.acceptPosition(buy, netContextAt('100', during));
    book.accept(closeOut({ [pair.symbol]: mark('103', 'held') }), netContextAt('100', after));
    expect(book.position(opened.id)?.closing).toMatchObject({ price: price('103'), reason: 'program_end' });
    expect(book.executions.at(-1)).toMatchObject({ price: price('103'), quoteId: null });
  });
});
