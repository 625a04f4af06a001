import { expect, test } from 'vitest';
import { decimalsOf, placeTiles, tileColour, tileSize } from './tiles.ts';

const tile = (market: string, share: number) => ({ market, share });
const room = { width: 360, height: 230 };

test('DASH-17: tiles fill the room with gaps of 2 px, and what ranks higher is never visibly smaller', () => {
  const areas = Array.from({ length: 16 }, (_, index) => 9 ** (1 - index / 15));
  const whole = areas.reduce((sum, area) => sum + area, 0);
  const placed = placeTiles(
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
    // A click needs 24 px.
    expect(Math.min(one.width, one.height)).toBeGreaterThanOrEqual(24);
  }
});

test('one tile takes the whole room, and without a room there is none', () => {
  expect(placeTiles([tile('A', 1)], room)).toEqual([{ market: 'A', left: 0, top: 0, ...room }]);
  expect(placeTiles([tile('A', 1)], { width: 0, height: 230 })).toEqual([]);
  expect(placeTiles([], room)).toEqual([]);
});

test('the colour grows with the change up to 5 per cent', () => {
  expect(tileColour(0)).toBe('color-mix(in srgb, var(--up) 12%, var(--surface))');
  expect(tileColour(-2.5)).toBe('color-mix(in srgb, var(--down) 31%, var(--surface))');
  expect(tileColour(5)).toBe('color-mix(in srgb, var(--up) 50%, var(--surface))');
  expect(tileColour(-80)).toBe('color-mix(in srgb, var(--down) 50%, var(--surface))');
  expect(tileColour(null)).toBe('var(--line)');
});

test('a tile under 50 px wide tells one decimal', () => {
  expect([decimalsOf({ width: 49, height: 90 }), decimalsOf({ width: 50, height: 20 })]).toEqual([1, 2]);
  expect(tileSize({ width: 120, height: 100 })).toBe('large');
  expect(tileSize({ width: 38, height: 36 })).toBe('small');
  expect(tileSize({ width: 26, height: 60 })).toBe('bare');
});
