import { describe, expect, test } from 'vitest';
import { closedBook, money, openedBook, price, size } from '../../test/engine.ts';
import type { PositionEdit } from './commands.ts';
import { pnlByPrices } from './edit-pnl.ts';

describe('A09: what follows from the prices of a closed position', () => {
  const { position } = closedBook();
  test('untouched it is what was booked', () => {
    expect(pnlByPrices(position, {})).toBe(position.closing!.realizedPnl);
  });

  test('the entered PnL plays no part', () => {
    expect(pnlByPrices(position, { realizedPnl: money('1') })).toBe(pnlByPrices(position, {}));
  });

  test('of another close price, the other side, and a loss beyond the margin', () => {
    const closePrice = price('110');
    const bought = pnlByPrices(position, { entryPrice: price('100'), closePrice, size: size('1') });
    expect(bought).toBe(position.side === 'BUY' ? money('10') : -money('10'));
    const other = position.side === 'BUY' ? 'SELL' : 'BUY';
    const terms = { entryPrice: price('100'), closePrice, size: size('1'), leverage: 1 };
    expect(pnlByPrices(position, { ...terms, side: other })).toBe(bought === null ? null : -bought);
    const lost = { entryPrice: price('100'), closePrice: price('1'), size: size('1'), leverage: 10 };
    expect(pnlByPrices(position, { ...lost, side: 'BUY' })).toBe(-money('10'));
  });

  test.each<PositionEdit>([
    { size: null },
    { entryPrice: price('0') },
    { closePrice: null },
    { leverage: 126 },
    { leverage: null },
    { side: 'LONG' },
  ])('there is none of %o', (edit) => {
    expect(pnlByPrices(position, edit)).toBeNull();
  });

  test('nor of an open one', () => {
    expect(pnlByPrices(openedBook().position, { closePrice: price('110') })).toBeNull();
  });
});
