import { expect, test } from 'vitest';
import { addBounded, boundedGroup, limitOf, normalLimit, normalOf32 } from './normal.ts';

const normalOf16 = (bits: number): number => normalOf32(bits << 16);
const all = Array.from({ length: 65_536 }, (_, bits) => normalOf16(bits));

test('draws of 16 bits are symmetric, of mean 0 and variance 1, and bounded', () => {
  expect(all.every((draw, bits) => draw === -(all[65_535 - bits] ?? 0))).toBe(true);
  expect(all.reduce((sum, draw) => sum + draw * draw, 0) / all.length).toBeCloseTo(1, 12);
  expect(all.every((draw, bits) => bits === 0 || draw > (all[bits - 1] ?? 0))).toBe(true);
  expect([Math.max(...all), -Math.min(...all)]).toEqual([normalLimit, normalLimit]);
  expect(normalLimit).toBeGreaterThan(3.9);
  expect(normalLimit).toBeLessThan(4.1);
});

test('their quantiles are those of a normal distribution that is cut off in its tails', () => {
  // Of the standard normal distribution, from tables.
  for (const [below, quantile] of [
    [0.841344746, 1],
    [0.977249868, 2],
    [0.998650102, 3],
  ] as const) {
    const share = (below - 3.167124183311998e-5) / (1 - 2 * 3.167124183311998e-5);
    expect(normalOf16(Math.round(share * 65_536)) * 0.9995).toBeCloseTo(quantile, 1);
  }
});

test('draws of 32 bits lie between those of 16, in order', () => {
  for (const bits of [0, 1, 1_234, 32_767, 32_768, 65_534]) {
    const [from, to] = [normalOf16(bits), normalOf16(bits + 1)];
    const drawn = [0, 1, 40_000, 65_535].map((more) => normalOf32((bits << 16) | more));
    expect(drawn[0]).toBe(from);
    expect(drawn.toSorted((a, b) => a - b)).toEqual(drawn);
    expect(drawn.at(-1)).toBeLessThan(to);
  }
  expect(normalOf32(-1)).toBe(normalLimit);
});

/** Numbers that look random, the same in every run (Marsaglia 2003). */
function createWords(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 16;
  };
}

test.each([15, 31])(
  'a group of %d draws keeps its bound, which one of them has, and is as independent ones',
  (size) => {
    const group = boundedGroup(size);
    const next = createWords();
    const moments = [0, 0, 0, 0];
    const groups = 40_000;
    let together = 0;
    let sizes = 0;
    for (let count = 0; count < groups; count += 1) {
      const head = next();
      const words = Uint16Array.from({ length: size + 1 }, next);
      const drawn = new Float64Array(size + 1);
      addBounded(group, head, words, 0, 1, drawn);
      const greatest = drawn.reduce((most, draw) => Math.max(most, Math.abs(draw)), 0);
      expect(greatest).toBe(limitOf(group, head));
      for (const draw of drawn.subarray(1)) {
        for (const [power, sum] of moments.entries()) moments[power] = sum + draw ** (power + 1);
      }
      const [first, last] = [drawn[1] ?? 0, drawn[size] ?? 0];
      together += first * last;
      sizes += (first * first - 1) * (last * last - 1);
    }
    const [mean, variance, skew, fourth] = moments.map((sum) => sum / groups / size);
    expect(mean).toBeCloseTo(0, 2);
    expect(variance).toBeCloseTo(1, 2);
    expect(skew).toBeCloseTo(0, 1);
    expect(fourth).toBeCloseTo(3, 1);
    // Of independent draws the means of these have the deviations 1 and 2 over the root of their number.
    expect(Math.abs(together / groups)).toBeLessThan(4 / Math.sqrt(groups));
    expect(Math.abs(sizes / groups)).toBeLessThan(8 / Math.sqrt(groups));
  },
);
