import { expect, test } from 'vitest';
import { getChangeDecimals, getTileColour, getTileSize, layOutTiles } from './tiles.ts';

const tile = (market: string, share: number) => ({ market, share });
const room = { width: 360, height: 230 };

test('Tiles fill the area with gaps of 2 px, and a higher rank is never visibly smaller', () => {
  const areas = Array.from({ length: 16 }, (_, index) => 9 ** (1 - index / 15));
  const whole = areas.reduce((sum, area) => sum + area, 0);
  const placed = layOutTiles(
    areas.map((area, index) => tile(`M${index}`, area / whole)),
    room,
  );
  expect(placed.map(({ market }) => market)).toEqual(areas.map((_, index) => `M${index}`));
  expect(Math.min(...placed.map(({ left }) => left))).toBe(0);
  expect(Math.min(...placed.map(({ top }) => top))).toBe(0);
  expect(Math.max(...placed.map(({ left, width }) => left + width))).toBe(room.width);
  expect(Math.max(...placed.map(({ top, height }) => top + height))).toBe(room.height);
  for (const [index, one] of placed.entries()) {
    for (const other of placed.slice(index + 1)) {
      const across =
        Math.max(one.left, other.left) - Math.min(one.left + one.width, other.left + other.width);
      const down = Math.max(one.top, other.top) - Math.min(one.top + one.height, other.top + other.height);
      expect(Math.max(across, down), `${one.market} and ${other.market}`).toBeGreaterThanOrEqual(2);
      expect(one.width * one.height * 1.12).toBeGreaterThan(other.width * other.height);
    }
    // A click target needs 24 px.
    expect(Math.min(one.width, one.height)).toBeGreaterThanOrEqual(24);
  }
});

test('one tile takes the whole area, and an empty area has no tiles', () => {
  expect(layOutTiles([tile('A', 1)], room)).toEqual([{ market: 'A', left: 0, top: 0, ...room }]);
  expect(layOutTiles([tile('A', 1)], { width: 0, height: 230 })).toEqual([]);
  expect(layOutTiles([], room)).toEqual([]);
});

test('the colour strength grows with the change up to 5 per cent', () => {
  expect(getTileColour(0, 2)).toBe('color-mix(in srgb, var(--up) 12%, var(--surface))');
  expect(getTileColour(-2.5, 2)).toBe('color-mix(in srgb, var(--down) 31%, var(--surface))');
  expect(getTileColour(5, 2)).toBe('color-mix(in srgb, var(--up) 50%, var(--surface))');
  expect(getTileColour(-80, 2)).toBe('color-mix(in srgb, var(--down) 50%, var(--surface))');
  expect(getTileColour(null, 2)).toBe('var(--line)');
  // A loss that is shown as 0.0% has no colour; with two decimals it is a loss.
  expect(getTileColour(-0.04, 1)).toBe('var(--line)');
  expect(getTileColour(-0.04, 2)).toContain('var(--down)');
});

test('a tile under 50 px wide shows one decimal', () => {
  expect([
    getChangeDecimals({ width: 49, height: 90 }),
    getChangeDecimals({ width: 50, height: 20 }),
  ]).toEqual([1, 2]);
  expect(getTileSize({ width: 120, height: 100 })).toBe('large');
  expect(getTileSize({ width: 38, height: 36 })).toBe('small');
  expect(getTileSize({ width: 26, height: 60 })).toBe('bare');
});
