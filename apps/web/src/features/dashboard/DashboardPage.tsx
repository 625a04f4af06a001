/**
 * `/dashboard` (DASH-01): rows of widgets in the stated order. Banner and market row load with the page, each other
 * row shortly before it becomes visible (docs/dashboard.md). A widget or a row that fails affects no other one.
 */

import { lazy, Suspense, useRef } from 'react';
import { useSiteName } from '../../shared/account/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { WidgetBoundary } from '../../shared/widget/index.ts';
import { useFollowedPrices } from '../market/index.ts';
import { Banner } from './banner/Banner.tsx';
import { ChartRowSkeleton } from './rows/chart-row-layout.tsx';
import { LazyRow, lazyRow } from './rows/LazyRow.tsx';
import { MarketRow } from './rows/MarketRow.tsx';
import { CardSkeleton, cellStyles, rowStyles } from './rows/row-layout.tsx';
import { useScrollRestoration } from './rows/useScrollRestoration.ts';
import { useScrollToHash } from './rows/useScrollToHash.ts';

const ChartRow = lazyRow(() => import('./rows/ChartRow.tsx'));
const ToolsRow = lazyRow(() => import('./rows/ToolsRow.tsx'));
const NewsRow = lazyRow(() => import('./rows/NewsRow.tsx'));
const JournalRow = lazyRow(() => import('./rows/JournalRow.tsx'));
const AnalyticsRow = lazyRow(() => import('./rows/AnalyticsRow.tsx'));

/** Loads in an account of a class only. */
const Classmates = lazy(async () => ({ default: (await import('../classes/index.ts')).Classmates }));

/** Likewise in one of a program. */
const ProgramStanding = lazy(async () => ({
  default: (await import('../programs/index.ts')).ProgramStanding,
}));

const tools = (
  <div className={rowStyles.tools}>
    <CardSkeleton className={cellStyles.tools} />
    <CardSkeleton className={cellStyles.tools} />
    <CardSkeleton className={cellStyles.tools} />
    <CardSkeleton className={cellStyles.tools} />
  </div>
);
const news = (
  <div className={rowStyles.news}>
    <CardSkeleton className={cellStyles.news} />
    <CardSkeleton className={cellStyles.news} />
    <CardSkeleton className={cellStyles.social} />
  </div>
);

export default function DashboardPage() {
  const page = useRef<HTMLDivElement>(null);
  const { account } = useSignedIn();
  useScrollToHash(page);
  useScrollRestoration(page);
  useFollowedPrices(null);
  return (
    <div ref={page} className="flex w-full flex-col gap-4 px-6 py-4 max-md:gap-3 max-md:p-3">
      <title>{`Dashboard · ${useSiteName()}`}</title>
      <WidgetBoundary title="Your account">
        <Banner />
      </WidgetBoundary>
      {account?.kind === 'class' ? (
        <WidgetBoundary title="Your class">
          <Suspense>
            <Classmates />
          </Suspense>
        </WidgetBoundary>
      ) : null}
      {account?.kind === 'contest' || account?.kind === 'challenge' ? (
        <WidgetBoundary title={account.kind === 'contest' ? 'Your contest' : 'Your challenge'}>
          <Suspense>
            <ProgramStanding />
          </Suspense>
        </WidgetBoundary>
      ) : null}
      <MarketRow />
      <LazyRow id="chart" label="Markets and chart" Content={ChartRow} skeleton={<ChartRowSkeleton />} />
      <LazyRow id="tools" label="Holdings and calculators" Content={ToolsRow} skeleton={tools} />
      <LazyRow id="news" label="Calendar and news" Content={NewsRow} skeleton={news} />
      <LazyRow
        id="journal"
        label="Trading Journal"
        Content={JournalRow}
        skeleton={<CardSkeleton className="h-[560px] lg:h-[313px]" />}
      />
      <LazyRow
        id="analytics"
        label="Portfolio analytics"
        Content={AnalyticsRow}
        skeleton={<CardSkeleton className="h-[640px]" />}
      />
    </div>
  );
}
