/**
 * The account over the last 28 days or since the first known entry: the balance in steps, or the equity with the
 * value of open positions (A108).
 */
import { dayMs, minuteMs } from '@fulcrum/domain';
import { formatAmount, Pnl } from '../../shared/numbers/index.ts';
import {
  type CurveKind,
  type CurvePoint,
  createBalanceAxis,
  describeCurve,
  getLineChartHeight,
  getTimeLabels,
  LineChart,
  useReadout,
} from '../../shared/plot/index.ts';
import { formatDayAndClock, formatShortDay } from '../../shared/time/dates.ts';
import { ReadError, Segmented, Skeleton } from '../../shared/ui/index.ts';
import { choiceField, defineUrlState, useUrlState } from '../../shared/url-state/index.ts';
import { getBalanceSteps, type HistoryEntry, sumHistory } from './history.ts';
import { curveDays, useEquityCurve } from './useEquity.ts';

const paneHeight = 106;
const plotHeight = getLineChartHeight(paneHeight);

const curves = [
  { value: 'balance', label: 'Balance' },
  { value: 'equity', label: 'Equity' },
] as const;
type Shown = (typeof curves)[number]['value'];
const kinds = { balance: 'steps', equity: 'line' } as const satisfies Record<Shown, CurveKind>;

const curveUrlState = defineUrlState({ curve: choiceField<Shown>(['balance', 'equity'], 'balance') });

function Baseline() {
  return (
    <div
      className="border-b border-line"
      style={{ height: paneHeight, marginBottom: plotHeight - paneHeight }}
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
  /** The start of complete `entries`: earlier ones are not drawn. ms since the epoch. */
  readonly since: number;
  readonly balance: number;
  /** ms since the epoch. */
  readonly now: number;
}

function balancePoints({ entries, since, balance, now }: WalletCurveProps): readonly CurvePoint[] {
  const oldest = Math.max(Date.parse(entries.at(-1)?.at ?? '') || now, since);
  // The first funding starts the account: before it there was no balance to draw.
  const from = Math.max(oldest, now - curveDays * dayMs);
  // This clock may be behind the server's.
  const to = Math.max(now, from + minuteMs);
  return getBalanceSteps(entries, balance, from, to).map((step) => ({ at: step.at, value: step.balance }));
}

/** Such as `Equity, 28 days`, or since when there is one. */
function getTitle(what: string, points: readonly CurvePoint[], now: number): string {
  const first = points[0]?.at ?? now;
  const isYoung = first > now - (curveDays - 1) * dayMs;
  return isYoung ? `${what} since ${formatShortDay(first)}` : `${what}, ${curveDays} days`;
}

export function WalletCurve(props: WalletCurveProps) {
  const { entries, now } = props;
  const [{ curve: shown }, change] = useUrlState(curveUrlState);
  const equity = useEquityCurve();
  const label = curves.find(({ value }) => value === shown)?.label ?? '';
  const points = shown === 'balance' ? balancePoints(props) : equity.points;
  const readout = useReadout(points?.length ?? 0);
  const read = readout.active === null ? undefined : points?.[readout.active];
  const recent = entries.filter(({ at }) => at !== null && Date.parse(at) > (points?.[0]?.at ?? now));

  const show = (next: Shown) => {
    readout.onRead(null);
    change({ curve: next });
  };
  const plot = () => {
    if (!points && equity.snapshots.isError) {
      return (
        <div className="[&_[role=alert]]:py-2">
          <ReadError title="Failed to fetch equity" reading={equity.snapshots} />
        </div>
      );
    }
    if (!points) return <Baseline />;
    const at = points.map((point) => point.at);
    const values = points.map(({ value }) => value);
    const axis = createBalanceAxis(values);
    const describe = (index: number): string => {
      const point = points[index];
      return point ? `${formatDayAndClock(point.at)}: ${formatAmount(point.value)} USDT` : '';
    };
    return (
      <LineChart
        name={`${label} over time`}
        summary={describeCurve(label, points)}
        describe={describe}
        empty={
          points.length < 2 ? 'The curve starts with the next hour or the next closed position.' : undefined
        }
        at={at}
        kind={kinds[shown]}
        panes={[{ height: paneHeight, axis, values, base: axis.low, tone: 'accent' }]}
        getLabels={() => getTimeLabels(at)}
        {...readout}
      />
    );
  };
  return (
    <section aria-labelledby="wallet-curve" className="min-w-0 p-6 max-md:p-4">
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h2 id="wallet-curve" className="text-13 font-semibold">
          {points ? getTitle(label, points, now) : label}
        </h2>
        <Segmented<Shown> label="Curve" options={curves} value={shown} onChange={show} size="compact" />
      </div>
      <p className="mt-1 flex h-5 items-center justify-end text-13 font-medium text-text-3">
        {read ? (
          <span className="figures">
            {formatDayAndClock(read.at)} <span className="ml-2 text-text">{formatAmount(read.value)}</span>{' '}
            USDT
          </span>
        ) : (
          <span>
            <Pnl value={sumHistory(recent).closedPositions} /> <span className="font-normal">realized</span>
          </span>
        )}
      </p>
      <div className="mt-1" style={{ height: plotHeight }}>
        {plot()}
      </div>
    </section>
  );
}
