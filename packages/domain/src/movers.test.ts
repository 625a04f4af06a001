import { expect, test } from 'vitest';
import { heatmapTiles, isRankedMarket, type MarketFigures, topMovers } from './movers.ts';

const market = (symbol: string, figures: Partial<MarketFigures>): MarketFigures => ({
  symbol,
  price: 1,
  priceChangePercent: 0,
  quoteVolume: 1,
  ...figures,
});
const symbolsOf = (markets: readonly MarketFigures[]) => markets.map(({ symbol }) => symbol);

test('A40: crypto in USDT is ranked, nothing else is', () => {
  expect(isRankedMarket({ type: 'crypto', quoteAsset: 'USDT' })).toBe(true);
  expect(isRankedMarket({ type: 'crypto', quoteAsset: 'BTC' })).toBe(false);
  expect(isRankedMarket({ type: 'forex', quoteAsset: 'USDT' })).toBe(false);
});

const changes: readonly (readonly [string, number | null])[] = [
  ['BTCUSDT', 1.7],
  ['ETHUSDT', -0.82],
  ['SOLUSDT', 3.41],
  ['DOGEUSDT', 5.92],
  ['SUIUSDT', -4.86],
  ['XRPUSDT', -3.41],
  ['NEWUSDT', null],
  ['TONUSDT', 0],
];
const moved = changes.map(([symbol, priceChangePercent]) => market(symbol, { priceChangePercent }));

test('DASH-15: the five largest changes in either direction, the largest first', () => {
  expect(symbolsOf(topMovers(moved))).toEqual(['DOGEUSDT', 'SUIUSDT', 'SOLUSDT', 'XRPUSDT', 'BTCUSDT']);
});

test('the order does not depend on the order the markets come in', () => {
  expect(topMovers(moved.toReversed())).toEqual(topMovers(moved));
  const alike = ['C', 'A', 'B'].map((symbol) => market(symbol, {}));
  expect(symbolsOf(topMovers(alike))).toEqual(['A', 'B', 'C']);
  expect(symbolsOf(heatmapTiles(alike.toReversed()).map((tile) => tile.market))).toEqual(['A', 'B', 'C']);
});

test('a change that is not known is no change of zero', () => {
  expect(symbolsOf(topMovers([market('A', { priceChangePercent: null }), market('B', {})]))).toEqual(['B']);
  expect(topMovers([market('A', { priceChangePercent: Number.NaN })])).toEqual([]);
  expect(topMovers([])).toEqual([]);
});

test('DASH-17, A40: volume in the quote asset times price decides, so a dear coin ranks before a busier cheap one', () => {
  const dear = market('BTCUSDT', { price: 100_000, quoteVolume: 2_000 });
  const busy = market('DOGEUSDT', { price: 0.5, quoteVolume: 90_000_000 });
  // 200 million against 45 million.
  expect(symbolsOf(heatmapTiles([busy, dear]).map((tile) => tile.market))).toEqual(['BTCUSDT', 'DOGEUSDT']);
});

test('DASH-17: sixteen at most, and none without price or volume', () => {
  const many = Array.from({ length: 20 }, (_, index) => market(`S${index}`, { quoteVolume: index + 1 }));
  const tiles = heatmapTiles(many);
  expect(tiles.map((tile) => tile.market.quoteVolume)).toEqual(Array.from({ length: 16 }, (_, i) => 20 - i));
  const unknown = [
    market('A', { quoteVolume: null }),
    market('B', { price: null }),
    market('C', { quoteVolume: 0 }),
    market('D', {}),
  ];
  expect(heatmapTiles(unknown)).toEqual([{ market: unknown[3], share: 1 }]);
  expect(heatmapTiles([])).toEqual([]);
});

const sharesOf = (volumes: readonly number[]) =>
  heatmapTiles(volumes.map((quoteVolume, index) => market(`S${index}`, { quoteVolume }))).map(
    // What a binary fraction adds is no matter here.
    ({ share }) => Number(share.toPrecision(12)),
  );

test('products that lie within nine times share the map as they are', () => {
  expect(sharesOf([6, 3, 1])).toEqual([0.6, 0.3, 0.1]);
  expect(sharesOf([5, 5])).toEqual([0.5, 0.5]);
});

test('products further apart are drawn together until the largest tile is nine times the smallest', () => {
  // 81 = 9², so that every product counts with its square root: 9, 6, 1 of 16.
  const shares = sharesOf([81, 36, 1]);
  [9 / 16, 6 / 16, 1 / 16].forEach((share, index) => {
    expect(shares[index]).toBeCloseTo(share, 12);
  });
  const extreme = sharesOf([3e14, 4e13, 8e9, 2e6, 5e4]);
  expect(extreme).toEqual(extreme.toSorted((a, b) => b - a));
  expect(new Set(extreme).size).toBe(5);
  expect((extreme[0] ?? 0) / (extreme[4] ?? 1)).toBeCloseTo(9, 9);
  expect(extreme.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});
