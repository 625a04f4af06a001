/** The market's public interface for other features: pairs, live prices, the selector and the chart. */
export { ChartPanel, GlanceChart } from './chart/ChartPanel.tsx';
export type { FillMark } from './chart/fill-marks.ts';
export type {
  CommandError,
  EntryLine,
  LineHandle,
  LineTarget,
  MovableLine,
  PillPart,
  PriceLine,
} from './chart/lines/price-line.ts';
export type { PriceMenuEntries } from './chart/price-menu/price-menu.ts';
export { changeChart } from './chart/settings/charts-store.ts';
export { MarketList } from './list/MarketList.tsx';
export { useMarketListPanel } from './list/useMarketListPanel.ts';
export { PairBar, type PairBarProps } from './PairBar.tsx';
export { PhoneBar, PriceHeader } from './PhoneHeader.tsx';
export { PriceStateBadge, PriceStateMark } from './PriceState.tsx';
export { useSyncedFavorites } from './pairs/useFavorite.ts';
export { useOfferedPairs } from './pairs/useOfferedPairs.ts';
export { type PairSteps, usePairSteps } from './pairs/usePairSteps.ts';
export { type Pair, pairsQuery, toLastPrice, usePairs } from './pairs/usePairs.ts';
export { useSelectedPair, useSharedPair } from './pairs/useSelectedPair.ts';
export { watchlistsSetting } from './pairs/watchlists.ts';
export { formatChange, LastPriceFigure, useDayFigures } from './prices/DayFigures.tsx';
export { getReplayClock } from './prices/frames.ts';
export type { Freshness } from './prices/freshness.ts';
export type { LastPrice, PriceStream } from './prices/price-stream.ts';
export { useFetchedPrice } from './prices/useFetchedPrice.ts';
export {
  type PricedMarket,
  useChangeSource,
  useFeedState,
  useFollowedPrices,
  useFreshness,
  useIsCutOff,
  useIsFeedLate,
  usePriceSource,
  usePriceStream,
  useReadPriceStatus,
  useSampled,
} from './prices/usePrices.ts';
export { OpeningCountdown } from './TradingStatus.tsx';
export { parseTimeframe } from './timeframes.ts';
