/** The heatmap as a map: a list of links, the largest first, positioned by the layout. */
import type { HeatmapTile } from '@fulcrum/domain';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatPercent } from '../../../shared/numbers/index.ts';
import { getTradingPath } from '../market/RankingParts.tsx';
import type { RankedMarket } from '../market/useRanking.ts';
import {
  getChangeDecimals,
  getTileColour,
  getTileSize,
  layOutTiles,
  type PlacedTile,
  type TileArea,
  type TileSize,
} from './tiles.ts';

const tileStyles: Readonly<Record<TileSize, { readonly symbol: string; readonly change: string }>> = {
  large: { symbol: 'text-16 leading-5 font-semibold', change: 'text-14 leading-5' },
  regular: { symbol: 'text-13 leading-[17px] font-semibold', change: 'text-12 leading-4' },
  small: {
    symbol: 'text-11 leading-[14px] font-semibold tracking-[-0.02em]',
    change: 'text-11 leading-[14px]',
  },
  bare: { symbol: 'text-11 leading-[14px] font-semibold tracking-[-0.02em]', change: 'sr-only' },
};

/** About the width of a small capital letter, in px. */
const letterPx = 7.5;
/** True for a name that would be cut off, such as `RENDER` in a tile of 42 px. */
const isTight = ({ market, width }: PlacedTile<RankedMarket>) =>
  width < 56 && market.pair.baseAsset.length * letterPx > width - 2;

function Tile({ tile }: { readonly tile: PlacedTile<RankedMarket> }) {
  const { market, left, top, width, height } = tile;
  const { symbol, priceChangePercent: change, pair } = market;
  const styles = tileStyles[getTileSize(tile)];
  return (
    <li className="absolute" style={{ left, top, width, height }}>
      <Link
        to={getTradingPath(symbol)}
        title={`${pair.name} ${formatPercent(change)}`}
        style={{ background: getTileColour(change, getChangeDecimals(tile)) }}
        className="flex size-full flex-col items-center justify-center overflow-hidden rounded-[3px] -outline-offset-2 transition-[filter] hover:brightness-110 focus-visible:outline-text!"
      >
        <span
          className={`max-w-full truncate ${isTight(tile) ? `${styles.symbol} !text-[9px]` : styles.symbol}`}
        >
          {pair.baseAsset}
          <span className="sr-only">{` ${symbol} `}</span>
        </span>
        <span className={`figures ${styles.change}`}>
          {formatPercent(change, 'always', getChangeDecimals(tile))}
        </span>
      </Link>
    </li>
  );
}

const noArea: TileArea = { width: 0, height: 0 };

interface TreemapProps {
  readonly tiles: readonly HeatmapTile<RankedMarket>[];
  readonly className: string;
}

export function Treemap({ tiles, className }: TreemapProps) {
  const ground = useRef<HTMLUListElement>(null);
  const [area, setArea] = useState(noArea);
  useLayoutEffect(() => {
    const element = ground.current;
    if (!element) return;
    const measure = () => setArea({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const placed = useMemo(() => layOutTiles(tiles, area), [tiles, area]);
  return (
    <ul ref={ground} aria-label="Markets by volume times price" className={`relative ${className}`}>
      {placed.map((tile) => (
        <Tile key={tile.market.symbol} tile={tile} />
      ))}
    </ul>
  );
}
