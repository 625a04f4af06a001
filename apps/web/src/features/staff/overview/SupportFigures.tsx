/** Figures below the support metrics: session duration, peak hour, signed-in users (ADMIN-10, ADMIN-11, A74, A75). */
import { formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { formatDuration } from '../../../shared/time/duration.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import type { WidgetReading } from '../../../shared/widget/index.ts';
import { type Figure, MetricCell } from '../../support/index.ts';
import type { AdminOverview } from './useOverview.ts';

const grid =
  'grid grid-cols-3 gap-px border-t border-line bg-line max-md:grid-cols-2 max-md:[&>:last-child]:col-span-2';

const formatHour = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`;

function toSupportFigures({
  average_session_s,
  peak_hour,
  sessions_measured,
  signed_in_now,
}: Pick<
  AdminOverview,
  'average_session_s' | 'peak_hour' | 'sessions_measured' | 'signed_in_now'
>): readonly Figure[] {
  const measured =
    sessions_measured === 0
      ? 'No chat was closed in 30 days'
      : `n ${formatFigure(sessions_measured, 0)}, 30 days`;
  return [
    {
      term: 'Avg. Session Duration',
      meaning: 'Mean time from start to close of the support chats closed in the last thirty days.',
      value: average_session_s === null ? noFigure : formatDuration(average_session_s),
      beneath: measured,
    },
    {
      term: 'Peak Hour',
      meaning: 'The hour of the day, UTC, in which most of these chats started.',
      value: peak_hour === null ? noFigure : formatHour(peak_hour),
      beneath: sessions_measured === 0 ? measured : `UTC, ${measured}`,
    },
    {
      term: 'Signed in now',
      meaning: 'Users of every role whose session sent a request in the last five minutes.',
      value: formatFigure(signed_in_now, 0),
      beneath: 'in the last 5 minutes',
    },
  ];
}

export function SupportFigures({ reading }: { readonly reading: WidgetReading<AdminOverview> }) {
  const { figures } = reading;
  return (
    <dl className={grid}>
      {figures
        ? toSupportFigures(figures).map((figure) => <MetricCell key={figure.term} {...figure} />)
        : ['Avg. Session Duration', 'Peak Hour', 'Signed in now'].map((term) => (
            <div key={term} className="min-w-0 bg-surface px-4 py-3">
              <dt className="flex h-6 items-center text-12 text-text-2">{term}</dt>
              <dd className="mt-0.5">
                {reading.hasFailed ? (
                  <span className="block text-16">{noFigure}</span>
                ) : (
                  <span className="flex h-6 items-center">
                    <Skeleton className="h-4 w-20" />
                  </span>
                )}
                <span className="mt-0.5 block min-h-5 max-md:min-h-10" />
              </dd>
            </div>
          ))}
    </dl>
  );
}
