import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pair, price, size } from '../../test/engine.ts';
import { asPrice, asSize } from '../money.ts';
import { modelledTrade } from './trade-model.ts';

const before = { price: price('100'), at: 10_000 };
/** The second draw is the middle of its range. */
const trade = (at: string, sideDraw = 0, more: { readonly at?: number } = {}) =>
  modelledTrade({ price: price(at), at: 10_250, ...more }, before, size('240'), pair, [
    sideDraw,
    0x8000_0000,
  ]);

test('A114: a price that rose was bought, one that fell was sold, and a draw decides where it stands', () => {
  expect(trade('101')).toEqual({ price: price('101'), size: size('1'), side: 'BUY', at: 10_250 });
  expect(trade('99').side).toBe('SELL');
  expect([trade('100', 6).side, trade('100', 7).side]).toEqual(['BUY', 'SELL']);
});

test('A114: the sizes of a minute are its volume, also where prices are rare; a gap has the size of a second', () => {
  expect(trade('101', 0, { at: 40_000 }).size).toBe(size('120'));
  expect(trade('101', 0, { at: 10_000_000 }).size).toBe(size('4'));
  expect(trade('101', 0, { at: 9_000 }).size).toBe(size('4'));
  const [now, draws] = [{ price: price('101'), at: 1 }, [0, 0x8000_0000]] as const;
  expect(modelledTrade(now, null, size('240'), pair, draws).size).toBe(size('4'));
});

test('A114: whatever the volume, a trade is in whole steps that an order could have', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      (volume, sideDraw, sizeDraw) => {
        const now = { price: asPrice(before.price + pair.tickSize), at: 11_000 };
        const made = modelledTrade(now, before, asSize(volume), pair, [sideDraw, sizeDraw]);
        expect(made.size % pair.stepSize).toBe(0n);
        expect(made.size).toBeGreaterThanOrEqual(pair.minQty);
        expect(made.size).toBeLessThanOrEqual(pair.maxQty);
        expect(made.price % pair.tickSize).toBe(0n);
      },
    ),
  );
});
