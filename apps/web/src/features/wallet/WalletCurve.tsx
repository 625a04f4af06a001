/**
 * How the account came to what it is, over the last 28 days or since the first entry that is known: the balance in steps,
 * because money moves in steps, or the equity with what open positions were worth (A108).
 */
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatAmount, Pnl } from '../../shared/numbers/index.ts';
import { type CurveKind, type CurvePoint, dayLabel, instantOf } from '../../shared/plot/index.ts';
import { ErrorState, Segmented, Skeleton, useWidth } from '../../shared/ui/index.ts';
import { axisWidth, CurvePlot, plotHeight, timesHeight } from './CurvePlot.tsx';
import { balanceSteps, type HistoryEntry, sumHistory } from './history.ts';
import { curveDays, useEquityCurve } from './useEquity.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const curves = [
  { value: 'balance', label: 'Balance' },
  { value: 'equity', label: 'Equity' },
] as const;
type Shown = (typeof curves)[number]['value'];
const kinds = { balance: 'steps', equity: 'line' } as const satisfies Record<Shown, CurveKind>;

function Baseline() {
  return (
    <div
      className="border-b border-line"
      style={{ height: plotHeight - timesHeight, marginBottom: timesHeight }}
    />
  );
}

export function CurveSkeleton() {
  return (
    <div className="p-6 max-md:p-4">
      <div className="flex h-7 items-center">
        <Skeleton className="h-3 w-32" />
      </div>
      <div className="mt-3">
        <Baseline />
      </div>
    </div>
  );
}

interface WalletCurveProps {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** From when on `entries` is whole: what lies before is not drawn. ms since epoch. */
  readonly since: number;
  readonly balance: number;
  /** ms since epoch. */
  readonly now: number;
}

function balancePoints({ entries, since, balance, now }: WalletCurveProps): readonly CurvePoint[] {
  const oldest = Math.max(Date.parse(entries.at(-1)?.at ?? '') || now, since);
  // The first funding made the account: before it there was no balance to draw.
  const from = Math.max(oldest, now - curveDays * dayMs);
  // This clock may be behind the server's.
  const to = Math.max(now, from + minuteMs);
  return balanceSteps(entries, balance, from, to).map((step) => ({ at: step.at, value: step.balance }));
}

/** `Equity, 28 days`, or from when on there is one. */
function titleOf(what: string, points: readonly CurvePoint[], now: number): string {
  const first = points[0]?.at ?? now;
  const isYoung = first > now - (curveDays - 1) * dayMs;
  return isYoung ? `${what} since ${dayLabel.format(first)}` : `${what}, ${curveDays} days`;
}

export function WalletCurve(props: WalletCurveProps) {
  const { entries, now } = props;
  const [ref, width] = useWidth();
  const [search, setSearch] = useSearchParams();
  const [active, setActive] = useState<number | null>(null);
  const equity = useEquityCurve();
  const shown: Shown = search.get('curve') === 'equity' ? 'equity' : 'balance';
  const label = curves.find(({ value }) => value === shown)?.label ?? '';
  const points = shown === 'balance' ? balancePoints(props) : equity.points;
  const read = active === null ? undefined : points?.[active];
  const recent = entries.filter(({ at }) => at !== null && Date.parse(at) > (points?.[0]?.at ?? now));

  const show = (next: Shown) => {
    setActive(null);
    setSearch(
      (before) => {
        const params = new URLSearchParams(before);
        if (next === 'equity') params.set('curve', next);
        else params.delete('curve');
        return params;
      },
      { replace: true },
    );
  };
  const plot = () => {
    if (!points && equity.snapshots.isError) {
      const { refetch, isFetching } = equity.snapshots;
      return (
        <div className="[&_[role=alert]]:py-2">
          <ErrorState title="Failed to fetch equity" onRetry={() => refetch()} retrying={isFetching} />
        </div>
      );
    }
    if (!points) return <Baseline />;
    if (points.length < 2) {
      return (
        <p className="grid h-full place-items-center px-6 text-center text-13 text-text-2">
          The curve begins with the next hour or the next closed position.
        </p>
      );
    }
    if (width <= axisWidth) return null;
    return (
      <CurvePlot
        what={label}
        kind={kinds[shown]}
        points={points}
        width={width}
        active={active === null ? null : Math.min(active, points.length - 1)}
        onRead={setActive}
      />
    );
  };
  return (
    <section aria-labelledby="wallet-curve" className="min-w-0 p-6 max-md:p-4">
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h2 id="wallet-curve" className="text-13 font-semibold">
          {points ? titleOf(label, points, now) : label}
        </h2>
        <Segmented<Shown> label="Curve" options={curves} value={shown} onChange={show} size="compact" />
      </div>
      <p className="mt-1 flex h-5 items-center justify-end text-13 font-medium text-text-3">
        {read ? (
          <span className="figures">
            {instantOf(read.at)} <span className="ml-2 text-text">{formatAmount(read.value)}</span> USDT
          </span>
        ) : (
          <span>
            <Pnl value={sumHistory(recent).closedPositions} /> <span className="font-normal">realized</span>
          </span>
        )}
      </p>
      <div ref={ref} className="mt-1" style={{ height: plotHeight }}>
        {plot()}
      </div>
    </section>
  );
}
