import { expect, test } from 'vitest';
import { hasChangedBy, liquidationTrigger, roeTrigger } from './alerts.ts';
import { asMoney, asPercent, asPrice, asSize, parseDecimal } from './money.ts';
import { rulesOf } from './rule-sets.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const percent = (text: string) => asPercent(parseDecimal(text));
const cent = price('0.01');
const position = (side: 'BUY' | 'SELL') => ({
  side,
  entryPrice: price('60000'),
  size: asSize(parseDecimal('0.07')),
  leverage: 10,
  margin: asMoney(parseDecimal('420')),
});

test('alerts: the price of an ROE has that ROE by the formula of the position, and a hundredth before does not', () => {
  for (const side of ['BUY', 'SELL'] as const) {
    for (const direction of ['rises', 'falls'] as const) {
      for (const level of ['25.5', '-40', '0', '7.77']) {
        const of = position(side);
        const trigger = roeTrigger(of, cent, percent(level), direction);
        expect(trigger).not.toBeNull();
        if (!trigger) continue;
        const roeAt = (at: bigint) => rulesOf('standard').openRoe(of, asPrice(at));
        // One hundredth of a per cent of ROE is 60 ticks here.
        const before = trigger.price + cent * (trigger.when === 'rises' ? -61n : 61n);
        const holds = (roe: bigint) =>
          direction === 'rises' ? roe >= percent(level) : roe <= percent(level);
        expect(holds(roeAt(trigger.price)), `${side} ${direction} ${level}`).toBe(true);
        expect(holds(roeAt(before)), `${side} ${direction} ${level} before`).toBe(false);
      }
    }
  }
});

test('alerts: an ROE that no price above zero gives has no trigger', () => {
  expect(roeTrigger(position('BUY'), cent, percent('-5000'), 'falls')).toBeNull();
  expect(roeTrigger(position('SELL'), cent, percent('1000'), 'rises')).toBeNull();
});

test('alerts: the distance to the liquidation price is a share of the price', () => {
  // 57000 / 0.95 = 60000; 63000 / 1.05 = 60000.
  expect(liquidationTrigger('BUY', price('57000'), cent, percent('5'))).toEqual({
    price: price('60000'),
    when: 'falls',
  });
  expect(liquidationTrigger('SELL', price('63000'), cent, percent('5'))).toEqual({
    price: price('60000'),
    when: 'rises',
  });
  // Rounded to the tick that is within the distance.
  expect(liquidationTrigger('BUY', price('100'), cent, percent('3'))?.price).toBe(price('103.09'));
  expect(liquidationTrigger('SELL', price('100'), cent, percent('3'))?.price).toBe(price('97.09'));
});

test('alerts: a change is compared exactly', () => {
  const rises = (from: string, to: string, by: string) =>
    hasChangedBy(price(from), price(to), percent(by), 'rises');
  expect(rises('100', '102', '2')).toBe(true);
  expect(rises('100', '101.99999999', '2')).toBe(false);
  expect(hasChangedBy(price('100'), price('98'), percent('2'), 'falls')).toBe(true);
  expect(hasChangedBy(price('100'), price('102'), percent('2'), 'falls')).toBe(false);
});
