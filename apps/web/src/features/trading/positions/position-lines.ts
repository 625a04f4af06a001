/** The levels of a pair's open positions on its chart: entry with the live result, liquidation with what it would cost. */

import {
  directionOf,
  formatAmount,
  formatPercent,
  formatPrice,
  formatSize,
} from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { Pair, PriceLine, PriceStream } from '../../market/index.ts';
import { markOf, openFigures } from './figures.ts';

export function positionLines(
  stream: PriceStream,
  pair: Pair,
  positions: readonly Position[],
): readonly PriceLine[] {
  return positions
    .filter(({ symbol }) => symbol === pair.symbol)
    .flatMap((position): PriceLine[] => {
      const figures = openFigures(position);
      const side = position.side === 'BUY' ? 'LONG' : 'SHORT';
      const result = () => {
        const mark = markOf(stream, position);
        if (mark === null) return { text: '–', tone: 'none' } as const;
        const pnl = figures.pnl(mark);
        const text = `${formatAmount(pnl, 'always')} (${formatPercent(figures.roe(mark))})`;
        return { text, tone: directionOf(pnl) } as const;
      };
      return [
        {
          id: `${position.id}-entry`,
          side,
          size: position.size,
          pnl: () => {
            const mark = markOf(stream, position);
            return mark === null ? null : figures.pnl(mark);
          },
          formatPrice: (price) => formatPrice(price, pair.tickSize),
          tone: 'entry',
          price: position.entryPrice,
          priceText: formatPrice(position.entryPrice, pair.tickSize),
          head: `${side} ${position.leverage}×`,
          parts: () => [{ text: formatSize(position.size, pair.stepSize), tone: 'none' }, result()],
        },
        {
          id: `${position.id}-liquidation`,
          side,
          tone: 'liquidation',
          price: position.liquidationPrice,
          priceText: formatPrice(position.liquidationPrice, pair.tickSize),
          head: 'LIQ',
          parts: () => [
            { text: formatAmount(figures.booked(position.liquidationPrice), 'always'), tone: 'none' },
          ],
        },
      ];
    });
}
