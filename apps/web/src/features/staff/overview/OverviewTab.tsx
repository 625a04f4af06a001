/**
 * The first screen of the admin console (ADMIN-02, ADMIN-04 to ADMIN-16): figures, support, users, closed positions, and the
 * platform. Figures and tables are read again every 30 s in their places (ADMIN-12), unless somebody stops that; each part fails
 * and is tried again by itself.
 */

import { useQueryClient } from '@tanstack/react-query';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { ErrorState, IconButton } from '../../../shared/ui/index.ts';
import { passFocusOn, WidgetBoundary } from '../../../shared/widget/index.ts';
import { SupportMetricsPanel, supportMetricsKey } from '../../support/index.ts';
import { ConsoleAside } from '../ConsoleTabs.tsx';
import { useReadPositionsAgain } from '../positions/usePositions.ts';
import { Paused } from '../rows/pause.ts';
import { UsersTable } from '../users/UsersTable.tsx';
import { useReadUsersAgain } from '../users/useUsers.ts';
import { cardsOf, cardTitles } from './cards.ts';
import { OverviewPositions } from './OverviewPositions.tsx';
import { PlatformPanel } from './platform/PlatformPanel.tsx';
import { SessionFigures } from './SessionFigures.tsx';
import { StatCard, StatCardSkeleton } from './StatCard.tsx';
import { refreshSeconds, useOverview, usePlatform } from './useOverview.ts';
import { useShownPerson } from './useShownPerson.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

interface RefreshedProps {
  /** ms since the epoch; 0 before the first reading. */
  readonly at: number;
  readonly isPaused: boolean;
  readonly isOld: boolean;
  readonly onPause: (isPaused: boolean) => void;
}

function Refreshed({ at, isPaused, isOld, onPause }: RefreshedProps) {
  const Icon = isPaused ? Play : Pause;
  const beat = isPaused ? 'paused' : `every ${refreshSeconds} s`;
  return (
    <div className="flex h-11 items-center gap-2 px-4 text-12 text-text-2 max-md:h-9 max-md:border-t max-md:border-line">
      <span
        aria-hidden="true"
        className={`size-1.5 rounded-full ${isPaused || isOld ? 'bg-warn' : 'bg-up'}`}
      />
      <span className="figures whitespace-nowrap">
        {at === 0 ? `Reading, ${beat}` : `Updated ${clock.format(at)}, ${beat}`}
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
  const platform = usePlatform(isPaused);
  const readUsersAgain = useReadUsersAgain();
  const readPositionsAgain = useReadPositionsAgain();
  const cache = useQueryClient();
  const { shown, show, close } = useShownPerson(overview.ref);
  const pause = (toPaused: boolean) => {
    setPaused(toPaused);
    if (toPaused) return;
    overview.readAgain();
    platform.readAgain();
    readUsersAgain();
    readPositionsAgain();
    cache
      .invalidateQueries({ queryKey: supportMetricsKey })
      .catch((cause: unknown) => log.error('Reading the support metrics again broke', cause));
  };
  const cards = () => {
    if (overview.figures)
      return cardsOf(overview.figures).map((card) => <StatCard key={card.title} {...card} />);
    if (!overview.hasFailed) return cardTitles.map((title) => <StatCardSkeleton key={title} title={title} />);
    return (
      <div ref={passFocusOn} className="panel col-span-full grid h-[107px] items-center">
        <ErrorState
          shape="line"
          title="Failed to fetch the figures"
          onRetry={overview.readAgain}
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
        <Refreshed
          at={overview.readAt}
          isPaused={isPaused}
          isOld={overview.staleSince !== null || overview.hasFailed}
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
            <SupportMetricsPanel isPaused={isPaused} beneath={<SessionFigures reading={overview} />} />
          </WidgetBoundary>
          <Paused value={isPaused}>
            <WidgetBoundary title="Users">
              <UsersTable place="overview" prefix="users_" variant="plain" onPositions={show} />
            </WidgetBoundary>
            <WidgetBoundary title="Closed Positions">
              <OverviewPositions shown={shown} onClose={close} />
            </WidgetBoundary>
          </Paused>
        </div>
        <WidgetBoundary title="Platform">
          <PlatformPanel reading={platform} />
        </WidgetBoundary>
      </div>
    </section>
  );
}
