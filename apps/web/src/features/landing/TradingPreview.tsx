/**
 * A small trading screen: the live market at the left, an order form at the right. The form sets amount and leverage
 * of the example position, so its liquidation price moves on the chart with the input.
 */
import { useState } from 'react';
import { getExample, MarketFigure } from './MarketPreview.tsx';
import { useMarket } from './market.ts';
import { PreviewTicket, type TypedTicket } from './PreviewTicket.tsx';
import { calculateTicket } from './preview-ticket.ts';

const chartHeight = 388;
const initial: TypedTicket = { amount: '0.4', leverage: 50 };

export function TradingPreview() {
  const market = useMarket();
  const [typed, setTyped] = useState(initial);
  const shown = market.status === 'ready' ? market.value : null;
  const price = shown?.pair.price ?? shown?.candles.at(-1)?.close ?? null;
  const reading =
    shown && price !== null
      ? calculateTicket({
          ...typed,
          price,
          limits: shown.limits,
          rules: shown.config.rules,
          feeRate: shown.config.feeRate,
        })
      : null;
  const figures = reading !== null && 'size' in reading ? reading : null;
  const example =
    shown && figures ? getExample(shown, { size: figures.size, leverage: typed.leverage }) : null;
  return (
    <>
      <div className="panel grid overflow-hidden md:grid-cols-[1fr_280px]">
        <MarketFigure
          market={market}
          example={example}
          height={chartHeight}
          className="min-w-0 max-md:border-b max-md:border-line md:border-r md:border-line"
        />
        <PreviewTicket
          typed={typed}
          onType={setTyped}
          reading={reading}
          unit={shown?.pair.base_asset ?? ''}
          tickSize={shown?.pair.tick_size ?? 0.01}
        />
      </div>
      <p className="mt-3 text-12 text-text-3">
        Prices of this server, redrawn as they arrive. The position is an example: a long of this amount and
        leverage, opened forty bars ago, figured by the rules your own orders would follow.
      </p>
    </>
  );
}
