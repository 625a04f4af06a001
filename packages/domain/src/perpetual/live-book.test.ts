import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pair, price, size } from '../../test/engine.ts';
import { asPrice, asSize } from '../money.ts';
import type { Level } from './book.ts';
import { drawsPerBook, levelsPerSide, type ModelRow } from './book-model.ts';
import { fillTerms, type QuotedProfile } from './fill-profiles.ts';
import { liveBook, type StreamedBook } from './live-book.ts';

const row: ModelRow = { halfSpread: 5_000n, volatility: 3_000_000n, dayVolume: size('20000'), depth: 100 };
const model = { row, draws: new Uint32Array(drawsPerBook).fill(0x8000_0000) };
const side = (...levels: readonly (readonly [string, string])[]): Level[] =>
  levels.map(([at, amount]) => ({ price: price(at), size: size(amount) }));

const streamed: StreamedBook = {
  bids: side(['64000.00', '1.5'], ['63999.90', '2'], ['63999.00', '4']),
  asks: side(['64000.01', '0.5'], ['64000.20', '3'], ['64001.00', '6']),
  isBestOnly: false,
  receivedAt: 0,
};
const at = (profile: QuotedProfile, more: Partial<StreamedBook> = {}) =>
  liveBook({ ...streamed, ...more }, pair, fillTerms[profile], model);

describe('the book of an exchange', () => {
  test('A114: `pro` trades on the exchange’s own levels, around the middle of its best prices', () => {
    expect(at('pro')).toEqual({ bids: streamed.bids, asks: streamed.asks, mid: price('64000.005') });
  });

  test('A114: other profiles stretch the distances, away from the middle and to whole ticks', () => {
    expect(at('stress')).toEqual({
      mid: price('64000.005'),
      // Four half-spreads of 0.005 are 0.02, so the best bid is 63999.985; three times 0.1 and 1 lie behind it.
      bids: side(['63999.98', '1.5'], ['63999.68', '2'], ['63996.98', '4']),
      asks: side(['64000.03', '0.5'], ['64000.6', '3'], ['64003', '6']),
    });
    const mid = price('64000');
    const all = [{ price: mid, size: pair.maxQty }];
    expect(at('ideal')).toEqual({ mid, bids: all, asks: all });
  });

  test('A114: with the best prices alone, the levels behind them are the model’s', () => {
    const book = at('pro', {
      isBestOnly: true,
      bids: streamed.bids.slice(0, 1),
      asks: streamed.asks.slice(0, 1),
    })!;
    expect([book.bids[0], book.asks[0]]).toEqual([streamed.bids[0], streamed.asks[0]]);
    expect([book.bids.length, book.asks.length]).toEqual([levelsPerSide, levelsPerSide]);
    // A twentieth of σ√(25 / 10,000) = 0.15 % of the price.
    expect(book.asks[1]!.price - book.asks[0]!.price).toBe(price('4.8'));
    expect(book.asks[1]!.size).toBe(size('0.375'));
  });

  test('a book without a side, a crossed one and one below a step are none', () => {
    expect(at('pro', { bids: [] })).toBeNull();
    expect(at('pro', { bids: side(['64000.01', '1']) })).toBeNull();
    expect(at('pro', { asks: side(['64000.01', '0.0000001']) })).toBeNull();
  });

  test('A114: whatever comes, levels are whole ticks and steps, the best first, and never cross', () => {
    const levels = fc.array(
      fc.tuple(fc.bigInt({ min: 1n, max: 40_000_000n }), fc.bigInt({ min: 1n, max: 10n ** 13n })),
      { minLength: 1, maxLength: levelsPerSide },
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 100_000_000n, max: 10n ** 13n }),
        levels,
        levels,
        fc.constantFrom<QuotedProfile>('ideal', 'retail', 'pro', 'stress'),
        fc.boolean(),
        (middle, below, above, profile, isBestOnly) => {
          const walk = (from: bigint, direction: bigint, steps: typeof below): Level[] => {
            let last = from;
            return steps.map(([step, amount]) => {
              last += direction * step;
              return { price: asPrice(last), size: asSize(amount) };
            });
          };
          const [bids, asks] = [walk(middle, -1n, below), walk(middle, 1n, above)];
          const book = at(profile, { bids: bids.filter((level) => level.price > 0n), asks, isBestOnly });
          if (book === null) return;
          const isIdeal = profile === 'ideal';
          for (const [shown, direction] of [
            [book.bids, -1n],
            [book.asks, 1n],
          ] as const) {
            let last: bigint = isIdeal ? book.mid - direction : book.mid;
            for (const level of shown) {
              expect(level.price % pair.tickSize).toBe(0n);
              expect(level.size % pair.stepSize).toBe(0n);
              expect(level.size).toBeGreaterThan(0n);
              const isLowest = shown === book.bids && level.price <= pair.minPrice;
              expect(isLowest || direction * (level.price - last) >= (last === book.mid ? 0n : 1n)).toBe(
                true,
              );
              last = level.price;
            }
          }
          expect(isIdeal || book.bids[0]!.price < book.asks[0]!.price).toBe(true);
        },
      ),
    );
  });
});
