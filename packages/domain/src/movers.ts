/**
 * The two rankings of the dashboard's market row, and the area of each heatmap tile. They rank the server's figures
 * and compute no price. Invariant: the same figures give the same order, whatever the order of the markets; equal
 * markets are in the order of their symbols. A market with an unknown figure (null) is left out; null never counts as
 * zero.
 */
import type { MarketType } from './pairs.ts';

/** The figures of the price stream that a market is ranked by. */
export interface MarketFigures {
  readonly symbol: string;
  /** In the quote asset. */
  readonly price: number | null;
  /** Over 24 h, in per cent: 1.7 is +1.7 %. */
  readonly priceChangePercent: number | null;
  /** Over 24 h, in the quote asset. */
  readonly quoteVolume: number | null;
}

const moversCount = 5;
const heatmapCount = 16;

/**
 * The universe of rankings and indices (A40): only crypto in USDT. Other markets close for hours, and their volumes
 * have other units.
 */
export const isRankedMarket = (market: { readonly type: MarketType; readonly quoteAsset: string }): boolean =>
  market.type === 'crypto' && market.quoteAsset === 'USDT';

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);

interface Weighed<Market> {
  readonly market: Market;
  readonly weight: number;
}

function heaviest<Market extends MarketFigures>(
  weighed: readonly Weighed<Market>[],
  count: number,
): readonly Weighed<Market>[] {
  // By code units: a collation would make the order depend on the reader's language.
  const bySymbol = (a: Market, b: Market) => (a.symbol < b.symbol ? -1 : 1);
  return weighed.toSorted((a, b) => b.weight - a.weight || bySymbol(a.market, b.market)).slice(0, count);
}

/** DASH-15: the five markets with the largest change in either direction, the largest first. */
export function topMovers<Market extends MarketFigures>(markets: readonly Market[]): readonly Market[] {
  const weighed = markets.flatMap((market) => {
    const { priceChangePercent } = market;
    return isKnown(priceChangePercent) ? [{ market, weight: Math.abs(priceChangePercent) }] : [];
  });
  return heaviest(weighed, moversCount).map(({ market }) => market);
}

/** A market of the heatmap with its share of the whole map's area, all shares together being 1. */
export interface HeatmapTile<Market> {
  readonly market: Market;
  readonly share: number;
}

/**
 * The largest tile's area as a multiple of the smallest one's. At 16 tiles on 240 × 340 px the smallest one has some
 * 1,500 px², enough for a symbol above its change.
 */
const tileAreaRatioMax = 9;

/**
 * DASH-17: the 16 markets with the largest `quoteVolume` × price, the largest first. A40 takes that literally: the
 * volume is in the quote asset already, so dear coins rank higher. A market without volume or price has no area and
 * is left out.
 *
 * Shares are not proportional to that product, because one dear coin would take the whole map. The product is raised
 * to the power that brings the largest tile down to nine times the smallest: `k = ln 9 / ln(largest / smallest)`, at
 * most 1. The power preserves order and equality, and leaves products unchanged that are close enough.
 */
export function heatmapTiles<Market extends MarketFigures>(
  markets: readonly Market[],
): readonly HeatmapTile<Market>[] {
  const weighed = markets.flatMap((market) => {
    const { quoteVolume, price } = market;
    if (!isKnown(quoteVolume) || !isKnown(price)) return [];
    const weight = quoteVolume * price;
    return weight > 0 && Number.isFinite(weight) ? [{ market, weight }] : [];
  });
  const ranked = heaviest(weighed, heatmapCount);
  const [largest, smallest] = [ranked[0]?.weight ?? 1, ranked.at(-1)?.weight ?? 1];
  const spread = Math.log(largest / smallest);
  const power = spread > 0 ? Math.min(1, Math.log(tileAreaRatioMax) / spread) : 1;
  const areas = ranked.map(({ weight }) => (weight / largest) ** power);
  const whole = areas.reduce((sum, area) => sum + area, 0);
  return ranked.map(({ market }, index) => ({ market, share: (areas[index] ?? 0) / whole }));
}
