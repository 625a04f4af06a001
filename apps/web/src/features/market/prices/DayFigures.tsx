/** The last price and the day's figures of one pair, ticking without renders. */
import { useCallback, useMemo } from 'react';
import {
  decimalsOfStep,
  formatCompact,
  formatPercent,
  formatPrice,
  LiveFigure,
  type LiveSource,
  noFigure,
} from '../../../shared/numbers/index.ts';
import type { Pair } from '../pairs/usePairs.ts';
import type { LastPrice } from './price-stream.ts';
import { useChangeSource, usePriceSource, usePriceStream } from './usePrices.ts';

const everyMs = 1_000;
const high = (tick: LastPrice) => tick.high_24h;
const low = (tick: LastPrice) => tick.low_24h;
/** What stands for a price that is not there (TRADE-32). */
const noPrice = '---';
const volume = (tick: LastPrice) => tick.quote_volume;
/** How far the price is from where it was a day ago. */
function changeAmount(tick: LastPrice): number | null {
  const { price, price_change_percent: percent } = tick;
  return percent === null || percent <= -100 ? null : price - price / (1 + percent / 100);
}
/** A34: what stands for an unknown change; it has no colour. */
const noChange = '--';
/** The change of the last 24 hours, in per cent. */
export const formatChange = (value: number | null | undefined): string =>
  value == null ? noChange : formatPercent(value);
/** A34: without a volume the figure is 0. */
const formatVolume = (value: number | null | undefined) =>
  value === null ? noFigure : formatCompact(value ?? 0);

function useFigure(symbol: string, pick: (tick: LastPrice) => number | null): LiveSource {
  const stream = usePriceStream();
  return useMemo(() => stream.source(symbol, pick, everyMs), [stream, symbol, pick]);
}

export function useDayFigures({ symbol, tickSize }: Pair) {
  const format = useCallback((value: number | null | undefined) => formatPrice(value, tickSize), [tickSize]);
  const formatSigned = useCallback(
    // Without a price the per cent beside it carries the dash of both.
    (value: number | null | undefined) => (value == null ? '' : formatPrice(value, tickSize, 'always')),
    [tickSize],
  );
  const change = useFigure(symbol, changeAmount);
  const percent = useChangeSource(symbol, everyMs);
  return {
    format,
    change: (
      <>
        <LiveFigure
          source={change}
          format={formatSigned}
          colour="change"
          decimals={decimalsOfStep(tickSize)}
          className="mr-2"
        />
        <LiveFigure source={percent} format={formatChange} colour="change" />
      </>
    ),
    percent: <LiveFigure source={percent} format={formatChange} colour="change" />,
    high: <LiveFigure source={useFigure(symbol, high)} format={format} />,
    low: <LiveFigure source={useFigure(symbol, low)} format={format} />,
    volume: <LiveFigure source={useFigure(symbol, volume)} format={formatVolume} />,
  };
}

/** The price in the colour of its last move. */
export function LastPriceFigure({ pair, className }: { readonly pair: Pair; readonly className: string }) {
  const source = usePriceSource(pair.symbol);
  const { tickSize } = pair;
  const format = useCallback(
    (value: number | null | undefined) => (value == null ? noPrice : formatPrice(value, tickSize)),
    [tickSize],
  );
  return <LiveFigure source={source} format={format} colour="move" className={className} />;
}
