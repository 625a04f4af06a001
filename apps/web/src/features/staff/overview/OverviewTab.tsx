/**
 * The Overview tab of the admin console (ADMIN-02, ADMIN-04 to ADMIN-16): figures, support metrics, users, closed positions and
 * operations. Figures and tables refresh every 30 s in place (ADMIN-12) unless the admin pauses that. Each section fails and
 * retries on its own.
 */

import { useQueryClient } from '@tanstack/react-query';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useState } from 'react';
import { formatClockWithSeconds } from '../../../shared/time/dates.ts';
import { ErrorState, IconButton } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount, WidgetBoundary } from '../../../shared/widget/index.ts';
import { SupportMetricsPanel, supportMetricsKey } from '../../support/index.ts';
import { ConsoleAside } from '../ConsoleTabs.tsx';
import { useRefetchPositions } from '../positions/usePositions.ts';
import { RefreshPausedContext } from '../rows/refresh-paused.ts';
import { UsersTable } from '../users/UsersTable.tsx';
import { useRefetchUsers } from '../users/useUsers.ts';
import { cardTitles, toCards } from './cards.ts';
import { OverviewPositions } from './OverviewPositions.tsx';
import { OperationsPanel } from './operations/OperationsPanel.tsx';
import { StatCard, StatCardSkeleton } from './StatCard.tsx';
import { SupportFigures } from './SupportFigures.tsx';
import { refreshSeconds, useOperations, useOverview } from './useOverview.ts';
import { useShownUser } from './useShownUser.ts';

interface RefreshStatusProps {
  /** ms since the epoch; 0 before the first reading. */
  readonly refreshedAt: number;
  readonly isPaused: boolean;
  readonly isStale: boolean;
  readonly onPause: (isPaused: boolean) => void;
}

function RefreshStatus({ refreshedAt, isPaused, isStale, onPause }: RefreshStatusProps) {
  const Icon = isPaused ? Play : Pause;
  const interval = isPaused ? 'paused' : `every ${refreshSeconds} s`;
  return (
    <div className="flex h-11 items-center gap-2 px-4 text-12 text-text-2 max-md:h-9 max-md:border-t max-md:border-line">
      <span
        aria-hidden="true"
        className={`size-1.5 rounded-full ${isPaused || isStale ? 'bg-warn' : 'bg-up'}`}
      />
      <span className="figures whitespace-nowrap">
        {refreshedAt === 0
          ? `Reading, ${interval}`
          : `Updated ${formatClockWithSeconds(refreshedAt)}, ${interval}`}
      </span>
      <IconButton
        label={isPaused ? 'Refresh this page again' : 'Pause refreshing this page'}
        aria-pressed={isPaused}
        className="max-md:ml-auto max-md:h-9"
        onClick={() => onPause(!isPaused)}
      >
        <Icon size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

export function OverviewTab() {
  const [isPaused, setPaused] = useState(false);
  const overview = useOverview(isPaused);
  const operations = useOperations(isPaused);
  const refetchUsers = useRefetchUsers();
  const refetchPositions = useRefetchPositions();
  const cache = useQueryClient();
  const { shown, show, close } = useShownUser(overview.ref);
  const pause = (toPaused: boolean) => {
    setPaused(toPaused);
    if (toPaused) return;
    overview.refetch();
    operations.refetch();
    refetchUsers();
    refetchPositions();
    void cache.invalidateQueries({ queryKey: supportMetricsKey });
  };
  const cards = () => {
    if (overview.figures)
      return toCards(overview.figures).map((card) => <StatCard key={card.title} {...card} />);
    if (!overview.hasFailed) return cardTitles.map((title) => <StatCardSkeleton key={title} title={title} />);
    return (
      <div ref={restoreFocusOnUnmount} className="panel col-span-full grid h-[107px] items-center">
        <ErrorState
          shape="line"
          title="Failed to fetch the figures"
          onRetry={overview.refetch}
          retrying={overview.isReading}
        />
      </div>
    );
  };
  return (
    <section
      ref={overview.ref}
      aria-labelledby="overview-heading"
      tabIndex={-1}
      className="flex flex-col gap-4 p-6 outline-none max-lg:p-4 max-md:gap-3 max-md:p-3"
    >
      <h1 id="overview-heading" className="sr-only">
        Overview
      </h1>
      <ConsoleAside>
        <RefreshStatus
          refreshedAt={overview.readAt}
          isPaused={isPaused}
          isStale={overview.staleSince !== null || overview.hasFailed}
          onPause={pause}
        />
      </ConsoleAside>
      <div
        aria-busy={!overview.figures && !overview.hasFailed}
        className="grid grid-cols-4 gap-4 max-[1180px]:grid-cols-2 max-md:grid-cols-1 max-md:gap-3"
      >
        {cards()}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_336px] items-start gap-4 max-[1180px]:grid-cols-1 max-md:gap-3">
        <div className="flex min-w-0 flex-col gap-4 max-md:gap-3">
          <WidgetBoundary title="Support metrics">
            <SupportMetricsPanel isPaused={isPaused} beneath={<SupportFigures reading={overview} />} />
          </WidgetBoundary>
          <RefreshPausedContext value={isPaused}>
            <WidgetBoundary title="Users">
              <UsersTable area="overview" prefix="users_" variant="plain" onPositions={show} />
            </WidgetBoundary>
            <WidgetBoundary title="Closed Positions">
              <OverviewPositions shown={shown} onClose={close} />
            </WidgetBoundary>
          </RefreshPausedContext>
        </div>
        {/* On a phone the halt comes before the lists. */}
        <div className="min-w-0 max-md:order-first">
          <WidgetBoundary title="Operations">
            <OperationsPanel reading={operations} />
          </WidgetBoundary>
        </div>
      </div>
    </section>
  );
}
