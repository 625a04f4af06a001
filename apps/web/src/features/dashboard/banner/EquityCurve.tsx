/**
 * The trading result of the last 28 days as a small curve, from the dotted line of its start. The sum beside the
 * title follows the banner's live equity, so both always agree. The curve itself ends at the time of its read.
 */
import type { EquityOverview } from '@fulcrum/contract';
import { useMemo } from 'react';
import { directionOf, formatDollars, LiveFigure, noFigure } from '../../../shared/numbers/index.ts';
import { type CurvePoint, Sparkline } from '../../../shared/plot/index.ts';
import { Button, Skeleton } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount, StaleBadge, type WidgetReading } from '../../../shared/widget/index.ts';
import { curveDays, describeResult, formatCurveTitle } from './curve-text.ts';
import { followCurve, useEquitySources } from './equity-sources.ts';

const formatGain = (value: number | null | undefined) => formatDollars(value, 'always');
const colours = { up: 'text-up', down: 'text-down', none: 'text-accent' } as const;

/** Of the equity: a smaller result does not fill the height. */
const leastSpanShare = 0.01;

interface PlotProps {
  readonly points: readonly CurvePoint[];
  /** The latest, USDT. */
  readonly equity: number;
}

export function Plot({ points, equity }: PlotProps) {
  if (points.length < 2) {
    return (
      <p className="text-12 text-text-2">The curve starts with the next hour or the next closed position.</p>
    );
  }
  if (points.every(({ value }) => value === points[0]?.value)) {
    return (
      <p className="flex h-full items-center text-12 text-text-2">
        <span className="w-full border-t border-dotted border-line-control pt-1.5">
          Your curve starts with the first trade.
        </span>
      </p>
    );
  }
  const gain = (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);
  return (
    <div className={`h-full ${colours[directionOf(gain)]}`}>
      <Sparkline
        label={describeResult(points)}
        points={points}
        leastSpan={equity * leastSpanShare}
        hasStartLine
      />
    </div>
  );
}

export function EquityCurve({ reading }: { readonly reading: WidgetReading<EquityOverview> }) {
  const { figures, staleSince, hasFailed, isReading, refetch: readAgain } = reading;
  const points = useMemo(
    () => figures?.curve.map(({ at, result }): CurvePoint => ({ at: Date.parse(at), value: result })),
    [figures],
  );
  const live = useEquitySources();
  const gain = useMemo(() => {
    const [first, last] = [figures?.curve[0], figures?.curve.at(-1)];
    return live && first && last ? followCurve(live.equity, first, last) : null;
  }, [live, figures]);
  const body = () => {
    if (points) return <Plot points={points} equity={figures?.curve.at(-1)?.equity ?? 0} />;
    if (!hasFailed) return <Skeleton className="size-full" />;
    return (
      <div
        ref={restoreFocusOnUnmount}
        role="alert"
        className="flex h-full items-center justify-between gap-3 text-12 text-text-2"
      >
        <p>Failed to fetch equity</p>
        <Button size="compact" onClick={readAgain} pending={isReading}>
          Retry
        </Button>
      </div>
    );
  };
  return (
    <div className="flex h-[104px] min-w-0 flex-col" aria-busy={!points && !hasFailed}>
      <div className="flex h-5 items-center justify-between gap-2 text-12 whitespace-nowrap text-text-2">
        <h2 className="truncate">
          {points ? formatCurveTitle(points, reading.readAt) : `Equity, ${curveDays} days`}
        </h2>
        {staleSince === null ? null : <StaleBadge since={staleSince} />}
        {points && staleSince === null ? (
          <p className="truncate">
            {gain ? (
              <LiveFigure source={gain} format={formatGain} colour="sign" className="font-medium" />
            ) : (
              noFigure
            )}{' '}
            net of deposits
          </p>
        ) : null}
      </div>
      <div className="mt-2 min-h-0 grow pr-1">{body()}</div>
    </div>
  );
}
