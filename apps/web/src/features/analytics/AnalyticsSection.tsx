/**
 * Portfolio analytics: the results of a range's closed trades, the equity curve, and results by day, hour and symbol.
 * The server calculates everything (`get_performance`). The previous range's figures stay, dimmed, until the new ones
 * are loaded, so that nothing jumps.
 */
import type { Performance } from '@fulcrum/contract';
import { type ReactNode, useMemo } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button, ButtonLink, EmptyState, Segmented, Skeleton } from '../../shared/ui/index.ts';
import { useUrlState } from '../../shared/url-state/index.ts';
import { Widget, WidgetBody } from '../../shared/widget/index.ts';
import { BarPlot, barsHeight } from './BarPlot.tsx';
import { CostWaterfall } from './CostWaterfall.tsx';
import { fillCalendar, formatDayLabel, formatDayTick, localDay } from './days.ts';
import { EquityPlot, plotHeight } from './EquityPlot.tsx';
import { FigureGrid, FigureGridSkeleton, SideSplit } from './FigureGrid.tsx';
import { analyticsUrlState, getRangeStart, type RangeName, ranges } from './range.ts';
import { SelectedTrades } from './SelectedTrades.tsx';
import { SymbolTable } from './SymbolTable.tsx';
import type { TradeSelection } from './trade-selection.ts';
import { usePerformance } from './usePerformance.ts';

const columns =
  'grid grid-cols-[minmax(0,8fr)_minmax(0,5fr)] divide-line border-b border-line last:border-b-0 md:divide-x max-lg:grid-cols-1 max-lg:divide-x-0 max-lg:divide-y';
/** Height of the upper row: header, readout and plot of the curve. */
const upperHeight = 28 + 4 + 20 + 8 + plotHeight + 32;
const lowerHeight = 28 + 8 + barsHeight + 32;

/** The height of the report with a few symbols, so that an error in its place takes the same. */
const leastHeight = 'min-h-[899px] max-xl:min-h-[996px] max-lg:min-h-[1277px] max-md:min-h-[1737px]';

const twoDigits = (hour: number): string => `${hour}`.padStart(2, '0');

function AnalyticsSkeleton() {
  return (
    <>
      <FigureGridSkeleton />
      {[upperHeight, lowerHeight].map((height) => (
        <div key={height} className={columns}>
          {[0, 1].map((column) => (
            <div key={column} className="p-4" style={{ height }}>
              <div className="flex h-7 items-center">
                <Skeleton className="h-3 w-32" />
              </div>
            </div>
          ))}
        </div>
      ))}
    </>
  );
}

interface NoTradesProps {
  readonly rangePhrase: string;
  readonly onShowAll: (() => void) | null;
}

function NoTrades({ rangePhrase, onShowAll }: NoTradesProps) {
  return (
    <EmptyState
      title="No closed trades yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink to="/trading">Open Trading</ButtonLink>
          {onShowAll ? <Button onClick={onShowAll}>Show all time</Button> : null}
        </div>
      }
    >
      {`No positions were closed in ${rangePhrase}. The results of closed positions appear here.`}
    </EmptyState>
  );
}

interface ReportProps {
  readonly figures: Performance;
  readonly now: number;
  readonly rangePhrase: string;
  readonly onShowAll: (() => void) | null;
  readonly selection: TradeSelection | null;
  readonly onSelect: (selection: TradeSelection) => void;
}

function Report({ figures, now, rangePhrase, onShowAll, selection, onSelect }: ReportProps) {
  const days = useMemo(() => {
    const first = figures.from === null ? null : localDay(Date.parse(figures.from));
    return fillCalendar(figures.by_day, first, localDay(now)).map(({ day, trades, net_pnl }) => ({
      key: day,
      name: formatDayLabel(day),
      tick: formatDayTick(day),
      trades,
      net: net_pnl,
    }));
  }, [figures, now]);
  const hours = figures.by_hour.map(({ hour, trades, net_pnl }) => ({
    key: `${hour}`,
    name: `${twoDigits(hour)}:00`,
    tick: `${twoDigits(hour)}:00`,
    trades,
    net: net_pnl,
  }));
  return (
    <>
      <FigureGrid figures={figures} />
      <SideSplit figures={figures} />
      <div className={columns}>
        <EquityPlot points={figures.curve} onChooseDay={(value) => onSelect({ kind: 'day', value })} />
        <div className="relative flex min-w-0 flex-col max-lg:min-h-64">
          <h3 className="mt-4 flex h-7 shrink-0 items-center px-4 text-13 font-semibold">Result by symbol</h3>
          <section
            aria-label="Result by symbol"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
            tabIndex={0}
            className="relative min-h-0 grow overflow-y-auto [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4 lg:absolute lg:inset-x-0 lg:top-11 lg:bottom-0 max-lg:max-h-80"
          >
            {figures.trades === 0 ? (
              <NoTrades rangePhrase={rangePhrase} onShowAll={onShowAll} />
            ) : (
              <SymbolTable
                symbols={figures.by_symbol}
                others={figures.others}
                onChoose={(value) => onSelect({ kind: 'symbol', value })}
              />
            )}
          </section>
        </div>
      </div>
      <div className={columns}>
        <BarPlot
          title="Result by day"
          unit="Day"
          bars={days}
          named="last"
          chosen={selection?.kind === 'day' ? selection.value : null}
          onChoose={({ key }) => onSelect({ kind: 'day', value: key })}
          empty="No closed trades"
        />
        <BarPlot
          title="Result by hour of the day"
          unit="Hour"
          bars={hours}
          named="first"
          chosen={selection?.kind === 'hour' ? `${selection.value}` : null}
          onChoose={({ key }) => onSelect({ kind: 'hour', value: Number(key) })}
          empty="No closed trades"
        />
      </div>
      {figures.costs === null || figures.costs.fills === 0 ? null : (
        <div className={columns}>
          <CostWaterfall costs={figures.costs} />
        </div>
      )}
      {figures.truncated ? (
        <p className="border-t border-line px-4 py-3 text-12 text-text-2">
          The latest 50,000 trades and 100,000 equity snapshots are looked at; earlier ones are left out.
        </p>
      ) : null}
    </>
  );
}

interface AnalyticsProps {
  readonly isPage?: boolean;
}

function Analytics({ isPage = false }: AnalyticsProps) {
  const [{ range, selection }, change] = useUrlState(analyticsUrlState);
  const now = Date.now();
  const from = getRangeStart(range, now);
  const reading = usePerformance(from);
  const show = (name: RangeName) => change({ range: ranges.find(({ value }) => value === name) ?? range });
  const body = (figures: Performance): ReactNode => (
    <div
      aria-busy={reading.isPrevious}
      className={`transition-opacity ${reading.isPrevious ? 'opacity-60' : ''}`}
    >
      <Report
        figures={figures}
        now={reading.readAt || now}
        rangePhrase={range.phrase}
        onShowAll={range.value === 'all' ? null : () => show('all')}
        selection={selection}
        onSelect={(chosen) => change({ selection: chosen })}
      />
      {selection === null ? null : (
        <SelectedTrades selection={selection} from={from} onClose={() => change({ selection: null })} />
      )}
    </div>
  );
  return (
    <Widget
      title="Portfolio Analytics"
      to={isPage ? undefined : '/analytics'}
      className={leastHeight}
      reading={reading}
      aside={
        <Segmented<RangeName>
          label="Range"
          options={ranges}
          value={range.value}
          onChange={show}
          size="compact"
        />
      }
    >
      <WidgetBody
        reading={reading}
        skeleton={<AnalyticsSkeleton />}
        failed="Failed to fetch portfolio analytics"
      >
        {body}
      </WidgetBody>
    </Widget>
  );
}

/** Remounts for another account, so that no user sees another user's figures, not even dimmed. */
export function AnalyticsSection(props: AnalyticsProps) {
  const { accountId } = useSignedIn();
  return <Analytics key={accountId} {...props} />;
}
