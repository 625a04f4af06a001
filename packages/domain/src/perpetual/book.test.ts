import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pair, price, size } from '../../test/engine.ts';
import { asPrice, asSize, divideRounded, UNIT } from '../money.ts';
import {
  type Level,
  makerAllowance,
  type OwnTrade,
  type QuotedBook,
  sweep,
  sweepWhole,
  usedBy,
  withoutUsed,
} from './book.ts';
import { drawsPerBook, levelsPerSide, type ModelRow, modelledBook } from './book-model.ts';
import { fillTerms } from './fill-profiles.ts';

const levels: readonly Level[] = [
  { price: price('100'), size: size('1') },
  { price: price('101'), size: size('2') },
  { price: price('103'), size: size('1') },
];
const row: ModelRow = {
  halfSpread: 5_000n,
  volatility: 3_000_000n,
  dayVolume: size('20000'),
  depth: 100,
};
const flat = new Uint32Array(drawsPerBook).fill(0x8000_0000);
const drawsArbitrary = fc
  .array(fc.integer({ min: 0, max: 0xffff_ffff }), { minLength: drawsPerBook, maxLength: drawsPerBook })
  .map((draws) => Uint32Array.from(draws));

describe('sweep', () => {
  test('A114: a fill is the average of the levels that it takes, the value rounded once', () => {
    expect(sweep(levels, 'BUY', size('2'))).toEqual({
      size: size('2'),
      value: price('201'),
      price: price('100.5'),
    });
    expect(sweep(levels, 'BUY', size('3')).price).toBe(price('100.66666667'));
  });

  test('the limit and the end of the book leave a rest', () => {
    expect(sweep(levels, 'BUY', size('4'), { limit: price('101') }).size).toBe(size('3'));
    expect(sweep(levels, 'BUY', size('9')).size).toBe(size('4'));
    expect(sweep(levels, 'BUY', size('1'), { limit: price('99') })).toMatchObject({ size: 0n, value: 0n });
  });

  const whole: QuotedBook = {
    ...{ quoteId: 'q', source: 'modelled', mid: price('99'), at: 0, minuteVolume: size('1'), asks: levels },
    bids: levels.map((level, i) => ({ ...level, price: price(`${98 - i}`) })),
  };

  test('A114: what has to trade whole costs more beyond the levels, the more the farther, and never sells at zero', () => {
    // Levels for 4 are worth 405; 5 more at 103 + 4 × 5 ÷ 8.
    expect(sweepWhole(levels, whole, 'BUY', size('9'))).toMatchObject({
      size: size('9'),
      value: price('932.5'),
    });
    // 98 + 2 × 97 + 96 = 388; 5 more at 96 ÷ (1 + 3 × 5 ÷ (8 × 96)).
    expect(sweepWhole(whole.bids, whole, 'SELL', size('9')).value).toBe(price('858.80459770'));
    // The account has used up all of it: the whole size lies beyond.
    expect(sweepWhole([], whole, 'BUY', size('1')).price).toBe(price('103.5'));
    expect(sweepWhole([], { ...whole, asks: [] }, 'BUY', size('1')).size).toBe(0n);
    for (const amount of ['5', '50', '5000000', '50000000000']) {
      const { price: sold } = sweepWhole(whole.bids, whole, 'SELL', size(amount));
      expect(sold).toBeGreaterThan(0n);
      expect(sold).toBeLessThan(price('97.2'));
    }
  });

  test('a market at its lowest price still has a bid, for as much as a level holds', () => {
    const book = modelledBook(pair.minPrice, pair, row, fillTerms.pro, flat);
    expect(book.bids).toEqual([{ price: pair.minPrice, size: expect.any(BigInt) }]);
    expect(book.asks.length).toBe(levelsPerSide);
  });

  test('A114: for any size the fill is the average of the displayed levels, and a larger order gets no better one', () => {
    const mid = price('64000');
    fc.assert(
      fc.property(
        drawsArbitrary,
        fc.bigInt({ min: 1n, max: 400_000n }),
        fc.bigInt({ min: 0n, max: 400_000n }),
        fc.constantFrom('BUY' as const, 'SELL' as const),
        (draws, steps, more, side) => {
          const book = modelledBook(mid, pair, row, fillTerms.pro, draws);
          const shown = side === 'BUY' ? book.asks : book.bids;
          const requested = asSize(steps * pair.stepSize);
          const got = sweep(shown, side, requested);
          let [left, exact] = [requested as bigint, 0n];
          for (const level of shown) {
            const taken = left < level.size ? left : level.size;
            exact += taken * level.price;
            left -= taken;
          }
          expect(got.size).toBe(requested - left);
          expect(got.value).toBe(divideRounded(exact, UNIT, 'half-away-from-zero'));
          const best = shown[0]?.price ?? 0n;
          expect(side === 'BUY' ? got.price >= best && best > mid : got.price <= best && best < mid).toBe(
            true,
          );
          const larger = sweep(shown, side, asSize(requested + more * pair.stepSize));
          expect(side === 'BUY' ? larger.price >= got.price : larger.price <= got.price).toBe(true);
        },
      ),
    );
  });
});

describe('what an account used up itself', () => {
  const trade = (at: number, more: Partial<OwnTrade> = {}): OwnTrade => ({
    side: 'BUY',
    size: size('1'),
    isMaker: false,
    at,
    ...more,
  });

  test('A114: a trade takes from the levels in full at first and linearly less until four seconds later', () => {
    const used = (at: number) => usedBy([trade(1_000)], at).bought;
    expect([used(500), used(1_000), used(2_000), used(3_000), used(4_999), used(5_000)]).toEqual([
      size('1'),
      size('1'),
      size('0.75'),
      size('0.5'),
      size('0.00025'),
      0n,
    ]);
    const others = [
      trade(9_000),
      trade(9_000, { isMaker: true }),
      trade(8_000, { side: 'SELL' }),
      trade(4_000),
    ];
    expect(usedBy(others, 10_000)).toEqual({ bought: size('0.75'), sold: size('0.5') });
  });

  test('whole levels go first, and what is left of one is in whole steps', () => {
    expect(withoutUsed(levels, size('1.00005'), size('0.001'))).toEqual([
      { price: price('101'), size: size('1.999') },
      { price: price('103'), size: size('1') },
    ]);
    expect(withoutUsed(levels, size('4'), size('0.001'))).toEqual([]);
    expect(withoutUsed(levels, asSize(0n), size('0.001'))).toBe(levels);
  });

  test('A114: waiting orders fill at most a tenth of the minute’s volume a minute', () => {
    const maker = (at: number) => trade(at, { isMaker: true, size: size('0.6') });
    const allowed = (trades: readonly OwnTrade[], at: number) =>
      makerAllowance(trades, size('10'), size('0.1'), at);
    expect(allowed([], 60_000)).toBe(size('1'));
    expect(allowed([maker(60_000)], 119_999)).toBe(size('0.4'));
    expect(allowed([maker(60_000), maker(61_000)], 62_000)).toBe(0n);
    expect(allowed([maker(60_000)], 120_000)).toBe(size('1'));
    expect(allowed([trade(60_000)], 60_000)).toBe(size('1'));
  });
});

describe('the modelled book', () => {
  test('every level is on a tick, in whole steps, and further from the price than the one before', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 90_000_000n }),
        drawsArbitrary,
        fc.record({
          halfSpread: fc.bigInt({ min: 0n, max: 10_000_000n }),
          volatility: fc.bigInt({ min: 0n, max: 50_000_000n }),
          dayVolume: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(asSize),
          depth: fc.integer({ min: 10, max: 100 }),
        }),
        fc.constantFrom('retail' as const, 'pro' as const, 'stress' as const),
        (ticks, draws, anyRow, profile) => {
          const mid = asPrice(ticks * pair.tickSize);
          const { bids, asks } = modelledBook(mid, pair, anyRow, fillTerms[profile], draws);
          expect(asks).toHaveLength(levelsPerSide);
          for (const [side, sign] of [
            [asks, 1n],
            [bids, -1n],
          ] as const) {
            let last: bigint = mid;
            for (const level of side) {
              expect(level.price % pair.tickSize).toBe(0n);
              expect(level.size % pair.stepSize).toBe(0n);
              expect(level.size).toBeGreaterThanOrEqual(pair.minQty);
              const isLowest = side.length === 1 && level.price === pair.minPrice;
              expect(isLowest || (level.price > 0n && sign * (level.price - last) > 0n)).toBe(true);
              last = level.price;
            }
          }
        },
      ),
    );
  });

  test('the same inputs give the same book, and a profile stretches it', () => {
    const at = (profile: keyof typeof fillTerms) =>
      modelledBook(price('64000'), pair, row, fillTerms[profile], flat);
    expect(at('pro')).toEqual(at('pro'));
    expect(at('pro').asks[0]).toEqual({ price: price('64003.2'), size: size('0.125') });
    expect(at('stress').asks[0]?.price).toBe(price('64012.8'));
    const reach = (profile: 'pro' | 'retail') =>
      Number(at(profile).asks.at(-1)!.price - at(profile).asks[0]!.price);
    expect(reach('retail') / reach('pro')).toBeCloseTo(1.5, 2);
    expect(at('ideal')).toEqual({
      bids: [{ price: price('64000'), size: pair.maxQty }],
      asks: [{ price: price('64000'), size: pair.maxQty }],
    });
  });

  test('impact follows the square root of the size: four times as much moves the price twice as far', () => {
    const { asks } = modelledBook(price('64000'), pair, row, fillTerms.pro, flat);
    const best = asks[0]!.price;
    const depthTo = (i: number) => asks.slice(0, i).reduce((sum, level) => sum + level.size, 0n);
    const reach = (i: number) => asks[i]!.price - best;
    expect(Number(depthTo(20)) / Number(depthTo(10))).toBeCloseTo(4, 1);
    expect(Number(reach(18)) / Number(reach(9))).toBeCloseTo(2, 1);
  });
});
