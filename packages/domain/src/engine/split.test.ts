import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money, price } from '../../test/engine.ts';
import { asMoney, asPrice, asSize, NO_FEE, parseDecimal } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import { mainRuleSetNames } from '../rules.ts';
import { splitPosition } from './split.ts';
import type { Position } from './types.ts';

const whole = (size: bigint, margin: bigint): Position => ({
  id: 'whole',
  accountId: 'trader',
  symbol: 'BTCUSDT',
  side: 'BUY',
  entryPrice: price('100'),
  size: asSize(size),
  leverage: 10,
  margin: asMoney(margin),
  entryValue: null,
  liquidationPrice: price('90.5'),
  takeProfitPrice: price('120'),
  stopLossPrice: price('95'),
  initialStopLossPrice: price('94'),
  rules: 'standard',
  feeRate: NO_FEE,
  fees: money('0.06'),
  funding: asMoney(0n),
  fundedAt: null,
  splitFrom: null,
  marginWarned: false,
  closeAtReopen: false,
  createdAt: 1,
  updatedAt: 1,
  editedAt: null,
  closing: null,
  version: 3,
  accountVersion: 7,
});

test('A23: size, margin and fees of part and rest add up to the whole, for any sizes', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 2n, max: 10n ** 20n }),
      fc.bigInt({ min: 1n, max: 10n ** 18n }),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      (size, margin, share) => {
        const partSize = asSize((share % (size - 1n)) + 1n);
        const position = whole(size, margin);
        const { part, rest } = splitPosition(position, partSize, 'part');
        expect(part.size + rest.size).toBe(size);
        expect(part.margin + rest.margin).toBe(margin);
        expect(part.fees + rest.fees).toBe(position.fees);
        expect(part.margin * size <= margin * partSize).toBe(true);
        expect((part.margin + 1n) * size > margin * partSize).toBe(true);
      },
    ),
  );
});

test('A23: the part gets an id of its own, the rest keeps id, protection, fees and liquidation price', () => {
  const position = whole(parseDecimal('1'), parseDecimal('10'));
  const { part, rest } = splitPosition(position, asSize(parseDecimal('0.25')), 'part');
  expect(part).toEqual({
    ...position,
    id: 'part',
    size: parseDecimal('0.25'),
    margin: parseDecimal('2.5'),
    fees: 0n,
    takeProfitPrice: null,
    stopLossPrice: null,
    splitFrom: 'whole',
  });
  expect(rest).toEqual({ ...position, size: parseDecimal('0.75'), margin: parseDecimal('7.5') });
});

test.each(mainRuleSetNames)(
  'A23: under %s, parts closed at one price make what the whole would have made',
  (name) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        (size, share, closePrice) => {
          const position = whole(size, parseDecimal('10'));
          const { part, rest } = splitPosition(position, asSize((share % (size - 1n)) + 1n), 'part');
          const pnl = (of: Position) => rulesOf(name).realizedPnl(of, asPrice(closePrice));
          // Each is rounded once, by at most half a unit: two of them and the whole differ by one at most.
          const difference = pnl(part) + pnl(rest) - pnl(position);
          expect(difference >= -1n && difference <= 1n).toBe(true);
        },
      ),
    );
  },
);

test.each([0n, -1n, 100n, 101n])('A23: a part of %s of 100 is refused', (size) => {
  expect(() => splitPosition(whole(100n, 10n), asSize(size), 'part')).toThrow(RangeError);
});
