import { asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { bookRows, groupSteps } from './book-levels.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const level = (at: string, size: string) => ({ price: price(at), size: asSize(parseDecimal(size)) });
const bids = [level('92071.36', '1'), level('92062.87', '2'), level('92058.10', '4')];
const asks = [level('92082.70', '1'), level('92091.19', '2')];
const plain = { step: price('0.01'), own: [] };

describe('A114: the rows of the order book', () => {
  test('at the tick they are the levels, with sums from the best price on', () => {
    const rows = bookRows(bids, { side: 'BUY', ...plain });
    expect(rows.map((row) => row.price)).toEqual(bids.map((row) => row.price));
    expect(rows.map((row) => row.sum)).toEqual(['1', '3', '7'].map(parseDecimal));
    expect(bookRows([], { side: 'BUY', ...plain })).toEqual([]);
  });

  test('joined bids are rounded down and asks up, so a limit at the row takes all of it', () => {
    expect(bookRows(bids, { side: 'BUY', step: price('10'), own: [] })).toEqual([
      { ...level('92070', '1'), sum: parseDecimal('1'), isOwn: false },
      { ...level('92060', '2'), sum: parseDecimal('3'), isOwn: false },
      { ...level('92050', '4'), sum: parseDecimal('7'), isOwn: false },
    ]);
    expect(bookRows(asks, { side: 'SELL', step: price('100'), own: [] })).toEqual([
      { ...level('92100', '3'), sum: parseDecimal('3'), isOwn: false },
    ]);
  });

  test('an own order marks the row that it is reached at, and none beyond the last', () => {
    const ownOf = (side: 'BUY' | 'SELL', ...own: string[]) =>
      bookRows(side === 'BUY' ? bids : asks, { ...plain, side, own: own.map(price) }).map((row) => row.isOwn);
    expect(ownOf('BUY', '92062.87')).toEqual([false, true, false]);
    expect(ownOf('BUY', '92065', '92063')).toEqual([false, true, false]);
    expect(ownOf('BUY', '90000')).toEqual([false, false, false]);
    expect(ownOf('SELL', '92082.70', '92085')).toEqual([true, true]);
  });

  test('steps are whole ticks of round prices, for large and tiny ones', () => {
    const steps = (mid: string, tick: string) => groupSteps(price(mid), price(tick));
    expect(steps('92077.03', '0.01')).toEqual(['0.01', '1', '5', '10', '20', '50', '100'].map(price));
    expect(steps('0.00001043', '0.00000001')).toEqual(
      ['0.00000001', '0.00000002', '0.00000005', '0.0000001'].map(price),
    );
    expect(steps('4300', '0.25')).toEqual(['0.25', '0.5', '1', '2', '5', '10'].map(price));
  });
});
