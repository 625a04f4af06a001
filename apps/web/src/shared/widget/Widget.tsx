/**
 * The card of a widget: a header of fixed height and a body. `WidgetBody` shows one of four states in the same place without
 * moving the layout: a skeleton in the final shape, an error with Retry, the figures, or old figures with their age.
 */
import { type ReactNode, useCallback, useId } from 'react';
import { Link } from 'react-router';
import { formatAge } from '../time/age.ts';
import { LiveText } from '../time/LiveText.tsx';
import { Badge, ErrorState, SimulatedBadge } from '../ui/index.ts';
import { restoreFocusOnUnmount } from './restore-focus-on-unmount.ts';
import type { WidgetReading } from './useWidget.ts';

interface WidgetProps {
  readonly title: string;
  /** The page that has the same content alone; the title leads there. */
  readonly to?: string | undefined;
  /** A caption or an action at the right of the header. */
  readonly aside?: ReactNode;
  /** Marks simulated content in the header. */
  readonly simulated?: boolean;
  /** The reading of its figures: the widget says when they are old. */
  readonly reading?: Pick<WidgetReading<unknown>, 'ref' | 'staleSince'>;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

interface Stale {
  readonly since: number;
}

/** The counting age of old figures. Screen readers announce it once, not every second. */
function StaleAge({ since }: Stale) {
  const read = useCallback(() => `${formatAge(Date.now() - since)} old`, [since]);
  return (
    <>
      <span role="status" className="sr-only">
        Refreshing failed.{' '}
      </span>
      <LiveText read={read} />
    </>
  );
}

const staleTitle = (since: number): string =>
  `Refreshing failed. These figures are from ${new Date(since).toISOString()}`;

export function StaleBadge({ since }: Stale) {
  return (
    <span title={staleTitle(since)}>
      <Badge tone="warn">
        <StaleAge since={since} />
      </Badge>
    </span>
  );
}

/** Shows the age below a widget's title, in space that is always reserved, so that nothing moves. */
function StaleLine({ since }: Stale) {
  return (
    <span
      title={staleTitle(since)}
      className="absolute top-full left-0 -mt-[3px] text-11 leading-[13px] font-medium whitespace-nowrap text-warn"
    >
      <StaleAge since={since} />
    </span>
  );
}

export function Widget({
  title,
  to,
  aside,
  simulated = false,
  reading,
  id,
  className = '',
  children,
}: WidgetProps) {
  const titleId = useId();
  const staleSince = reading?.staleSince ?? null;
  return (
    <section
      ref={reading?.ref}
      id={id}
      aria-labelledby={titleId}
      tabIndex={-1}
      className={`panel flex min-w-0 flex-col outline-none overflow-hidden ${className}`}
    >
      <div className="flex h-11 shrink-0 items-center justify-between gap-3 px-4">
        <div className="relative min-w-0">
          <h2 id={titleId} className="truncate text-14 font-semibold">
            {to === undefined ? (
              title
            ) : (
              <Link
                to={to}
                className="rounded-control hover:text-accent hover:underline max-md:inline-block max-md:py-3"
              >
                {title}
              </Link>
            )}
          </h2>
          {staleSince === null ? null : <StaleLine since={staleSince} />}
        </div>
        <div className="flex min-w-0 items-center gap-2 text-12 text-text-2">
          {aside}
          {simulated ? <SimulatedBadge /> : null}
        </div>
      </div>
      {children}
    </section>
  );
}

interface WidgetBodyProps<Figures> {
  readonly reading: WidgetReading<Figures>;
  /** The placeholder in the shape of the content. */
  readonly skeleton: ReactNode;
  /** The error text, from the specification where it states one. */
  readonly failed: string;
  readonly children: (figures: Figures) => ReactNode;
}

export function WidgetBody<Figures>({ reading, skeleton, failed, children }: WidgetBodyProps<Figures>) {
  if (reading.figures !== undefined) return children(reading.figures);
  if (!reading.hasFailed) {
    return (
      <div aria-busy="true" className="flex min-h-0 grow flex-col">
        <span className="sr-only">Loading</span>
        {skeleton}
      </div>
    );
  }
  return (
    <div
      ref={restoreFocusOnUnmount}
      className="grid min-h-0 grow place-items-center overflow-auto [&_[role=alert]]:py-3"
    >
      <ErrorState title={failed} onRetry={reading.refetch} retrying={reading.isReading} />
    </div>
  );
}
