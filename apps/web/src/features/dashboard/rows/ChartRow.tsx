/** A85, DASH-10: the market list and the chart of the pair in view, the same parts as on the trading screen. */
import { useMemo } from 'react';
import { kept } from '../../../shared/storage/index.ts';
import { ErrorState, usePhone } from '../../../shared/ui/index.ts';
import {
  ChartPanel,
  GlanceChart,
  MarketList,
  type Pair,
  type PriceLine,
  useFollowedPrices,
  usePairs,
  useSyncedFavorites,
} from '../../market/index.ts';
import { ChartRowSkeleton, chartRowLooks } from './chart-places.tsx';

const noPairs: readonly Pair[] = [];
/** Positions and orders are the trading screen's. */
const noLines: readonly PriceLine[] = [];

function ChartOf({ pair }: { readonly pair: Pair }) {
  const isPhone = usePhone();
  useFollowedPrices(pair.symbol);
  const chart = useMemo(
    () =>
      isPhone ? <GlanceChart pair={pair} lines={noLines} /> : <ChartPanel pair={pair} lines={noLines} />,
    [isPhone, pair],
  );
  return (
    <section aria-label={`${pair.symbol} chart`} className={chartRowLooks.chart}>
      {chart}
    </section>
  );
}

export default function ChartRow() {
  const catalogue = usePairs();
  const pairs = catalogue.data ?? noPairs;
  const last = kept('fulcrum-pair');
  const selected = pairs.find(({ symbol }) => symbol === last) ?? pairs[0];
  useSyncedFavorites();
  if (selected) {
    return (
      <div className={chartRowLooks.row}>
        <section aria-label="Markets" className={chartRowLooks.list}>
          <MarketList />
        </section>
        <ChartOf pair={selected} />
      </div>
    );
  }
  if (catalogue.isPending) return <ChartRowSkeleton />;
  return (
    <div className="panel grid place-items-center lg:h-[420px]">
      <ErrorState
        title={catalogue.isError ? 'The markets could not be loaded' : 'There are no markets yet'}
        onRetry={() => void catalogue.refetch()}
        retrying={catalogue.isFetching}
      />
    </div>
  );
}
