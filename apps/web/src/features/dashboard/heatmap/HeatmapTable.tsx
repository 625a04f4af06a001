/** The heatmap's markets in rank order, with the figures that rank and colour them. */
import type { HeatmapTile } from '@fulcrum/domain';
import { Link } from 'react-router';
import { formatCompact, Percent, Price } from '../../../shared/numbers/index.ts';
import { Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { getTradingPath } from '../market/RankingParts.tsx';
import type { RankedMarket } from '../market/useRanking.ts';

interface HeatmapTableProps {
  readonly tiles: readonly HeatmapTile<RankedMarket>[];
  readonly className: string;
}

export function HeatmapTable({ tiles, className }: HeatmapTableProps) {
  return (
    <div
      className={`overflow-y-auto [&_:is(td,th)]:px-2 [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4 ${className}`}
    >
      <Table
        caption="The markets of the heatmap, by volume times price"
        head={
          <>
            <Th>Market</Th>
            <Th numeric>Price</Th>
            <Th numeric>24h change</Th>
            <Th numeric>24h volume</Th>
          </>
        }
      >
        {tiles.map(({ market: { symbol, price, priceChangePercent, quoteVolume, pair } }) => (
          <Tr key={symbol}>
            <Td>
              <Link
                to={getTradingPath(symbol)}
                className="inline-flex min-h-6 items-center font-medium hover:underline max-md:min-h-11"
              >
                {symbol}
              </Link>
            </Td>
            <Td numeric>
              <Price value={price} tickSize={pair.tickSize} />
            </Td>
            <Td numeric>
              <Percent value={priceChangePercent} zero="up" />
            </Td>
            <Td numeric>{formatCompact(quoteVolume, 2)}</Td>
          </Tr>
        ))}
      </Table>
    </div>
  );
}
