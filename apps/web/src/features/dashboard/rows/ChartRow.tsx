/**
 * The market list and the chart of the selected pair, as on the trading screen (A85, DASH-10). Choosing a market here
 * selects the pair of every screen. From 1024 px on they are side by side.
 */
import { ButtonLink, InstrumentMark, ReadError, usePhone } from '../../../shared/ui/index.ts';
import {
  ChartPanel,
  GlanceChart,
  LastPriceFigure,
  MarketList,
  type Pair,
  type PriceLine,
  PriceStateBadge,
  useDayFigures,
  useFollowedPrices,
  usePairs,
  useSharedPair,
  useSyncedFavorites,
} from '../../market/index.ts';
import { getTradingPath } from '../market/RankingParts.tsx';
import { ChartRowSkeleton, chartRowStyles } from './chart-row-layout.tsx';

/** Only the trading screen shows positions and orders on the chart. */
const noLines: readonly PriceLine[] = [];

function ChartCard({ pair }: { readonly pair: Pair }) {
  const isPhone = usePhone();
  const day = useDayFigures(pair);
  useFollowedPrices(pair.symbol);
  return (
    <section aria-labelledby="dashboard-chart" className={chartRowStyles.chart}>
      <div className="flex h-11 shrink-0 items-center gap-3 max-md:gap-2 border-b border-line px-4">
        <InstrumentMark symbol={pair.symbol} size={22} />
        <h2 id="dashboard-chart" title={pair.symbol} className="min-w-0 truncate text-14 font-semibold">
          {pair.symbol}
          <span className="sr-only"> chart</span>
        </h2>
        <LastPriceFigure pair={pair} className="text-14 font-semibold" />
        <span className="text-13 font-medium max-md:hidden">{day.change}</span>
        <span className="ml-auto flex shrink-0 items-center gap-3 max-md:gap-1">
          <PriceStateBadge market={pair} />
          <ButtonLink to={getTradingPath(pair.symbol)} tone="quiet" size="compact">
            Trade
            <span className="sr-only">{` ${pair.symbol}`}</span>
          </ButtonLink>
        </span>
      </div>
      {isPhone ? (
        <div className="pt-3">
          <GlanceChart pair={pair} lines={noLines} />
        </div>
      ) : (
        <ChartPanel pair={pair} lines={noLines} variant="card" />
      )}
    </section>
  );
}

const noPairs: readonly Pair[] = [];

export default function ChartRow() {
  const catalogue = usePairs();
  const pairs = catalogue.data ?? noPairs;
  const { selected, select } = useSharedPair(pairs);
  useSyncedFavorites();
  useFollowedPrices(null);
  if (!selected) {
    if (catalogue.isPending) return <ChartRowSkeleton />;
    return (
      <div className="panel grid place-items-center md:h-[420px]">
        <ReadError
          title={catalogue.isError ? 'The markets could not be loaded' : 'There are no markets yet'}
          reading={catalogue}
        />
      </div>
    );
  }
  return (
    <div className={chartRowStyles.row}>
      <section aria-labelledby="dashboard-markets" className={chartRowStyles.list}>
        <h2 id="dashboard-markets" className="sr-only">
          Markets
        </h2>
        <MarketList pairs={pairs} selected={selected.symbol} onSelect={select} />
      </section>
      <ChartCard pair={selected} />
    </div>
  );
}
