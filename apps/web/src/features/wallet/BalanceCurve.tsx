/**
 * The balance of the last 28 days, or since the first entry that is known, in steps, because money moves in steps. Plain
 * SVG: two paths and four gridlines.
 */
import { formatFigure, Pnl } from '../../shared/numbers/index.ts';
import { Skeleton, useWidth } from '../../shared/ui/index.ts';
import { balanceAxis } from './axis.ts';
import { type BalanceStep, balanceSteps, type HistoryEntry, sumHistory } from './history.ts';

const days = 28;
const dayMs = 86_400_000;
const height = 128;
const axisWidth = 56;
const axisHeight = 22;
const lines = 4;
const labels = 4;
/** A younger account is shown by the hour. */
const hourlyBelowMs = 3 * dayMs;
const minuteMs = 60_000;
const dayLabel = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const hourLabel = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

function Curve({ steps, width }: { readonly steps: readonly BalanceStep[]; readonly width: number }) {
  const balances = steps.map((step) => step.balance);
  const range = balanceAxis(Math.min(...balances), Math.max(...balances), lines);
  const [first, last] = [steps[0]?.at ?? 0, steps.at(-1)?.at ?? 1];
  const [plotWidth, plotHeight] = [width - axisWidth, height - axisHeight];
  const top = range.from + range.step * (lines - 1) * 1.08;
  const x = (at: number) => ((at - first) / (last - first)) * plotWidth;
  const y = (value: number) => ((top - value) / (top - range.from)) * (plotHeight - 6) + 3;
  const path = steps
    .map(({ at, balance }, index) => (index === 0 ? `M0 ${y(balance)}` : `H${x(at)}V${y(balance)}`))
    .join('');
  const decimals = range.step < 1 ? 2 : 0;
  const labelOf = last - first < hourlyBelowMs ? hourLabel : dayLabel;
  const times = Array.from({ length: labels }, (_, index) => first + ((last - first) * index) / labels)
    .map((at) => ({ at, label: labelOf.format(at) }))
    .filter(({ label }, index, all) => label !== all[index - 1]?.label);

  return (
    <svg width={width} height={height} aria-hidden="true" className="figures block text-11">
      {Array.from({ length: lines }, (_, index) => range.from + index * range.step).map((value) => (
        <g key={value}>
          <line x2={plotWidth} y1={y(value)} y2={y(value)} stroke="var(--grid)" />
          <text x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
            {formatFigure(value, decimals)}
          </text>
        </g>
      ))}
      {times.map(({ at, label }) => (
        <text key={at} x={x(at)} y={height - 4} fill="var(--text-3)">
          {label}
        </text>
      ))}
      <path d={`${path}V${plotHeight}H0Z`} fill="var(--accent-weak)" />
      <path d={path} fill="none" stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  );
}

export function CurveSkeleton() {
  return (
    <div className="p-6 max-md:p-4">
      <div className="flex h-5 items-center">
        <Skeleton className="h-3 w-32" />
      </div>
      <div
        className="mt-3 border-b border-line"
        style={{ height: height - axisHeight, marginBottom: axisHeight }}
      />
    </div>
  );
}

interface BalanceCurveProps {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** From when on `entries` is whole: what lies before is not drawn. ms since epoch. */
  readonly since: number;
  readonly balance: number;
  /** ms since epoch. */
  readonly now: number;
}

export function BalanceCurve({ entries, since, balance, now }: BalanceCurveProps) {
  const [ref, width] = useWidth();
  const oldest = Math.max(Date.parse(entries.at(-1)?.at ?? '') || now, since);
  const isYoung = oldest > now - days * dayMs;
  // The first funding made the account: before it there was no balance to draw.
  const from = isYoung ? oldest : now - days * dayMs;
  // This clock may be behind the server's.
  const to = Math.max(now, from + minuteMs);
  const steps = balanceSteps(entries, balance, from, to);
  const recent = entries.filter((entry) => entry.at !== null && Date.parse(entry.at) > from);
  return (
    <section className="min-w-0 p-6 max-md:p-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-13 font-semibold">
          {isYoung ? `Balance since ${dayLabel.format(oldest)}` : 'Balance, 28 days'}
        </h2>
        <span className="text-13 font-medium text-text-3">
          <Pnl value={sumHistory(recent).closedPositions} /> <span className="font-normal">realized</span>
        </span>
      </div>
      <div ref={ref} className="mt-3" style={{ height }}>
        {width > axisWidth ? <Curve steps={steps} width={width} /> : null}
      </div>
    </section>
  );
}
