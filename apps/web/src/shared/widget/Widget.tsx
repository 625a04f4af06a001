/**
 * The card of a widget: a head of fixed height and a body. `WidgetBody` draws one of four states in the same place, so that
 * none of them moves what stands around: a skeleton in the final shape, an error with Retry, the figures, the figures with
 * their age.
 */
import { type ReactNode, type Ref, useCallback, useId } from 'react';
import { formatAge } from '../time/age.ts';
import { LiveText } from '../time/LiveText.tsx';
import { Badge, ErrorState, SimulatedBadge } from '../ui/index.ts';
import { passFocusOn } from './pass-focus-on.ts';
import type { WidgetReading } from './useWidget.ts';

interface WidgetProps {
  readonly title: string;
  /** A caption or an action at the right of the head. */
  readonly aside?: ReactNode;
  /** What it shows is made up: the head says so. */
  readonly simulated?: boolean;
  /** Shown figures are old, since this instant (ms since the epoch). */
  readonly staleSince?: number | null;
  readonly ref?: Ref<HTMLElement>;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

interface Stale {
  readonly since: number;
}

/** Old figures: how old, counting. Told once, since a reader who hears every second hears nothing else. */
function StaleAge({ since }: Stale) {
  const read = useCallback(() => `${formatAge(Date.now() - since)} old`, [since]);
  return (
    <>
      <span role="status" className="sr-only">
        Newer figures could not be read.{' '}
      </span>
      <LiveText read={read} />
    </>
  );
}

const staleTitle = (since: number): string =>
  `Newer figures could not be read. These are of ${new Date(since).toISOString()}`;

export function StaleBadge({ since }: Stale) {
  return (
    <span title={staleTitle(since)}>
      <Badge tone="warn">
        <StaleAge since={since} />
      </Badge>
    </span>
  );
}

/** Beneath a widget's title, in room that is there anyway: neither the title nor what stands beside it gives way. */
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
  aside,
  simulated = false,
  staleSince = null,
  ref,
  id,
  className = '',
  children,
}: WidgetProps) {
  const titleId = useId();
  return (
    <section
      ref={ref}
      id={id}
      aria-labelledby={titleId}
      tabIndex={-1}
      className={`panel flex min-w-0 flex-col outline-none overflow-hidden ${className}`}
    >
      <div className="flex h-11 shrink-0 items-center justify-between gap-3 px-4">
        <div className="relative min-w-0">
          <h2 id={titleId} className="truncate text-14 font-semibold">
            {title}
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
  /** In the shape of what comes. */
  readonly skeleton: ReactNode;
  /** What failed, in the specification's words where it has them. */
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
      ref={passFocusOn}
      className="grid min-h-0 grow place-items-center overflow-auto [&_[role=alert]]:py-3"
    >
      <ErrorState title={failed} onRetry={reading.readAgain} retrying={reading.isReading} />
    </div>
  );
}
