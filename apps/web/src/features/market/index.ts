/** What other features use of the market: pairs, live prices, the selector and the chart. */
export { ChartPanel, GlanceChart } from './chart/ChartPanel.tsx';
export type {
  Dismissal,
  EntryLine,
  LineHandle,
  LineMovement,
  LinePlace,
  MovableLine,
  PillPart,
  PriceLine,
  Refusal,
} from './chart/lines/price-line.ts';
export { MarketList } from './list/MarketList.tsx';
export { useMarketListPanel } from './list/useMarketListPanel.ts';
export { PairBar, type PairBarProps } from './PairBar.tsx';
export { PhoneBar, PriceHeader } from './PhoneHeader.tsx';
export { PriceStateBadge, PriceStateMark } from './PriceState.tsx';
export { offeredPairs } from './pairs/offered-pairs.ts';
export { useSyncedFavorites } from './pairs/useFavorite.ts';
export { lastPriceOf, type Pair, pairsQuery, usePairs } from './pairs/usePairs.ts';
export { useSelectedPair, useSharedPair } from './pairs/useSelectedPair.ts';
export { formatChange, LastPriceFigure, useDayFigures } from './prices/DayFigures.tsx';
export type { Freshness } from './prices/freshness.ts';
export type { LastPrice, PriceStream } from './prices/price-stream.ts';
export { type FetchedPrice, useFetchedPrice } from './prices/useFetchedPrice.ts';
export {
  type PricedMarket,
  useChangeSource,
  useFeedState,
  useFollowedPrices,
  useFreshness,
  usePriceSource,
  usePriceStream,
  useSampled,
  useStandingReading,
} from './prices/usePrices.ts';
export { Opening } from './Session.tsx';
export { instantInWords } from './session-word.ts';
