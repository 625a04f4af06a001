/**
 * Metrics over all users for a range in the URL: six charts, each with a table, and the underlying transactions (METR-01 to
 * METR-15, A82). Figures of the previous range stay, dimmed, until the new ones load.
 */
import { ErrorState, Segmented } from '../../../shared/ui/index.ts';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { StaleBadge } from '../../../shared/widget/index.ts';
import { MainAccounts } from '../MainAccounts.tsx';
import { formatUtcDay, toBuckets } from './buckets.ts';
import { ChartCard, ChartSkeleton } from './ChartCard.tsx';
import { totalsCharts } from './charts.ts';
import { RecentTransactions } from './RecentTransactions.tsx';
import { getRangeStart, type RangeName, ranges, rangeUrlState, toUtcDay } from './range.ts';
import { useTotals } from './useTotals.ts';

const grid =
  'grid grid-cols-3 gap-4 max-xl:grid-cols-2 max-md:flex max-md:snap-x max-md:gap-3 max-md:overflow-x-auto max-md:pb-1';

export default function MetricsPage() {
  const [{ range }, change] = useUrlState(rangeUrlState);
  const since = getRangeStart(range, Date.now());
  const reading = useTotals(since);
  const { figures, isPrevious } = reading;
  /** Another range starts at its first page. */
  const show = (name: RangeName) =>
    change({ range: ranges.find(({ value }) => value === name) ?? range }, { removes: () => true });
  const last = toUtcDay(figures ? Date.parse(figures.at) : Date.now());
  const first = since?.slice(0, 10) ?? figures?.days[0]?.day ?? last;

  const charts = () => {
    if (figures === undefined && reading.hasFailed) {
      return (
        <div className="panel">
          <ErrorState
            title="Failed to fetch metrics"
            onRetry={reading.refetch}
            retrying={reading.isReading}
          />
        </div>
      );
    }
    if (figures === undefined) {
      return (
        <div aria-busy="true" className={grid}>
          <span className="sr-only">Loading</span>
          {totalsCharts.map(({ title }) => (
            <ChartSkeleton key={title} />
          ))}
        </div>
      );
    }
    const buckets = toBuckets(figures.days, since?.slice(0, 10) ?? null, last);
    return (
      <div aria-busy={isPrevious} className={`${grid} transition-opacity ${isPrevious ? 'opacity-60' : ''}`}>
        {totalsCharts.map((chart) => (
          <ChartCard key={chart.title} chart={chart} buckets={buckets} totals={figures.totals} />
        ))}
      </div>
    );
  };
  return (
    <div
      ref={(element) => {
        reading.ref.current = element;
      }}
      className="flex grow flex-col gap-4 p-6 max-lg:p-4 max-md:gap-3 max-md:p-3"
    >
      <title>Metrics · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-20 font-semibold">Metrics</h1>
        <MainAccounts />
        {reading.staleSince === null ? null : <StaleBadge since={reading.staleSince} />}
        <span className="figures ml-auto text-12 text-text-3 max-md:ml-0">
          {`${formatUtcDay(first)} to ${formatUtcDay(last)}, UTC days`}
        </span>
        <div className="max-w-full overflow-x-auto max-md:[&_label]:px-2.5 max-[359px]:[&_label]:px-1 max-[359px]:[&_label]:text-11">
          <Segmented<RangeName>
            label="Range"
            options={ranges}
            value={range.value}
            onChange={show}
            size="compact"
          />
        </div>
      </div>
      {charts()}
      <RecentTransactions
        key={range.value}
        since={since}
        total={isPrevious ? undefined : figures?.totals.transactions}
        onShowAll={range.value === 'all' ? null : () => show('all')}
      />
    </div>
  );
}
