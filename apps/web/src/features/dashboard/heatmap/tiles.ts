/**
 * The layout and colours of the heatmap's tiles. Squarified, in whole px with gaps of 2, so that edges are sharp.
 * Invariant: a tile's text has a contrast of at least 4.5:1 in both themes and all palettes, so no tile has more of
 * its colour than `mostColour`. The heatmap's journey measures this.
 */
import type { HeatmapTile } from '@fulcrum/domain';
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { directionOf } from '../../../shared/numbers/index.ts';

const gapPx = 2;

export interface TileArea {
  readonly width: number;
  readonly height: number;
}

export interface PlacedTile<Market> extends TileArea {
  readonly market: Market;
  readonly left: number;
  readonly top: number;
}

type Node<Market> = HeatmapTile<Market> | { readonly tiles: readonly HeatmapTile<Market>[] };

/** The tiles within the given size, in input order; none while the size is zero. */
export function layOutTiles<Market>(
  tiles: readonly HeatmapTile<Market>[],
  { width, height }: TileArea,
): readonly PlacedTile<Market>[] {
  if (width <= 0 || height <= 0) return [];
  const root = hierarchy<Node<Market>>({ tiles }, (node) => ('tiles' in node ? node.tiles : null)).sum(
    (node) => ('share' in node ? node.share : 0),
  );
  const layout = treemap<Node<Market>>()
    // Tiles close to squares: with the default golden rectangles the last tiles are slivers.
    .tile(treemapSquarify.ratio(1))
    .size([width, height])
    .paddingInner(gapPx)
    .round(true);
  const placed = ({ data, x0, y0, x1, y1 }: HierarchyRectangularNode<Node<Market>>) =>
    'market' in data ? [{ market: data.market, left: x0, top: y0, width: x1 - x0, height: y1 - y0 }] : [];
  return layout(root).leaves().flatMap(placed);
}

/** A change of this many per cent or more has the full strength. */
const fullStrengthPercent = 5;
/** Shares of the colour in the background, in per cent. */
const leastColour = 12;
const mostColour = 50;

/**
 * CSS colour of a tile; `change` over 24 h in per cent, shown with `decimals`. Zero counts as up (TRADE-10); an unknown change and a
 * loss that is shown as zero have no colour.
 */
export function getTileColour(change: number | null, decimals: 1 | 2): string {
  if (change === null || (change < 0 && directionOf(change, decimals) === 'none')) return 'var(--line)';
  const strength = Math.min(1, Math.abs(change) / fullStrengthPercent);
  const share = Math.round(leastColour + strength * (mostColour - leastColour));
  return `color-mix(in srgb, var(--${change < 0 ? 'down' : 'up'}) ${share}%, var(--surface))`;
}

/** The text size of a tile; `bare` fits the symbol alone. */
export type TileSize = 'large' | 'regular' | 'small' | 'bare';

export function getTileSize({ width, height }: TileArea): TileSize {
  if (width >= 96 && height >= 72) return 'large';
  if (width >= 56 && height >= 40) return 'regular';
  return width >= 30 && height >= 29 ? 'small' : 'bare';
}

/** Narrower tiles show the change with one decimal. */
const twoDecimalsFromPx = 50;
export const getChangeDecimals = ({ width }: TileArea): 1 | 2 => (width < twoDecimalsFromPx ? 1 : 2);
