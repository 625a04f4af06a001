/** The last price and the day's figures of one pair, updated without renders. */
import { useCallback, useMemo } from 'react';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import {
  decimalsOfStep,
  formatCompact,
  formatPercent,
  formatPrice,
  LiveFigure,
  type LiveSource,
  noFigure,
  usePriceFormat,
} from '../../../shared/numbers/index.ts';
import type { Pair } from '../pairs/usePairs.ts';
import type { LastPrice } from './price-stream.ts';
import { useChangeSource, usePriceSource, usePriceStream } from './usePrices.ts';

const everyMs = 1_000;
const high = (tick: LastPrice) => tick.high_24h;
const low = (tick: LastPrice) => tick.low_24h;
/** Shown for a missing price (TRADE-32). */
const noPrice = '---';
const volume = (tick: LastPrice) => tick.quote_volume;
/** The difference between the price and that of a day ago. */
function changeAmount(tick: LastPrice): number | null {
  const { price, price_change_percent: percent } = tick;
  return percent === null || percent <= -100 ? null : price - price / (1 + percent / 100);
}
/** Shown for an unknown change, without a colour (A34). */
const noChange = '--';
/** The change of the last 24 hours, in per cent. */
export const formatChange = (value: number | null | undefined): string =>
  value == null ? noChange : formatPercent(value);
/** Without a volume the figure is 0 (A34). */
const formatVolume = (value: number | null | undefined) =>
  value === null ? noFigure : formatCompact(value ?? 0, 2);

function useFigure(symbol: string, pick: (tick: LastPrice) => number | null): LiveSource {
  const stream = usePriceStream();
  return useMemo(() => stream.source(symbol, pick, everyMs), [stream, symbol, pick]);
}

/** The volume of the last day, in the quote asset. */
export const useVolumeFigure = (symbol: string) => (
  <LiveFigure source={useFigure(symbol, volume)} format={formatVolume} />
);

export function useDayFigures({ symbol, tickSize }: Pair) {
  const format = usePriceFormat(tickSize);
  const formatSigned = useCallback(
    // Without a price, the percentage beside it shows the dash of both.
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
          shorten={foldZeros}
          colour="change"
          decimals={decimalsOfStep(tickSize)}
          className="mr-2"
        />
        <LiveFigure source={percent} format={formatChange} colour="change" />
      </>
    ),
    percent: <LiveFigure source={percent} format={formatChange} colour="change" />,
    high: <LiveFigure source={useFigure(symbol, high)} format={format} shorten={foldZeros} />,
    low: <LiveFigure source={useFigure(symbol, low)} format={format} shorten={foldZeros} />,
    volume: useVolumeFigure(symbol),
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
  return (
    <LiveFigure source={source} format={format} shorten={foldZeros} colour="move" className={className} />
  );
}
