/**
 * `/dashboard` (DASH-01): one page of rows in the stated order. Banner and market row come with the page, each other row when it
 * is about to be seen (docs/dashboard.md). A widget or a row that breaks stays alone with it.
 */
import { useRef } from 'react';
import { WidgetBoundary } from '../../shared/widget/index.ts';
import { useFollowedPrices } from '../market/index.ts';
import { Banner } from './banner/Banner.tsx';
import { ChartRowSkeleton } from './rows/chart-places.tsx';
import { LazyRow, lazyRow } from './rows/LazyRow.tsx';
import { MarketRow } from './rows/MarketRow.tsx';
import { CardSkeleton, cellLooks, rowLooks } from './rows/places.tsx';
import { useAnchor } from './rows/useAnchor.ts';
import { useKeptPlace } from './rows/useKeptPlace.ts';

const ChartRow = lazyRow(() => import('./rows/ChartRow.tsx'));
const ToolsRow = lazyRow(() => import('./rows/ToolsRow.tsx'));
const NewsRow = lazyRow(() => import('./rows/NewsRow.tsx'));
const JournalRow = lazyRow(() => import('./rows/JournalRow.tsx'));
const AnalyticsRow = lazyRow(() => import('./rows/AnalyticsRow.tsx'));

const tools = (
  <div className={rowLooks.tools}>
    <CardSkeleton look={cellLooks.tools} />
    <CardSkeleton look={cellLooks.tools} />
    <CardSkeleton look={cellLooks.tools} />
    <CardSkeleton look={cellLooks.tools} />
  </div>
);
const news = (
  <div className={rowLooks.news}>
    <CardSkeleton look={cellLooks.news} />
    <CardSkeleton look={cellLooks.news} />
    <CardSkeleton look={cellLooks.social} />
  </div>
);

export default function DashboardPage() {
  const page = useRef<HTMLDivElement>(null);
  useAnchor(page);
  useKeptPlace(page);
  useFollowedPrices(null);
  return (
    <div ref={page} className="flex w-full flex-col gap-4 px-6 py-4 max-md:gap-3 max-md:p-3">
      <title>Dashboard · Fulcrum</title>
      <WidgetBoundary title="Your account">
        <Banner />
      </WidgetBoundary>
      <MarketRow />
      <LazyRow id="chart" label="Markets and chart" Content={ChartRow} skeleton={<ChartRowSkeleton />} />
      <LazyRow id="tools" label="Holdings and calculators" Content={ToolsRow} skeleton={tools} />
      <LazyRow id="news" label="Calendar and news" Content={NewsRow} skeleton={news} />
      <LazyRow
        id="journal"
        label="Trading Journal"
        Content={JournalRow}
        skeleton={<CardSkeleton look="h-[560px] lg:h-[313px]" />}
      />
      <LazyRow
        id="analytics"
        label="Portfolio analytics"
        Content={AnalyticsRow}
        skeleton={<CardSkeleton look="h-[640px]" />}
      />
    </div>
  );
}
