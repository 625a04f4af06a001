/**
 * The balance of the last 28 days, or since the first entry that is known, in steps, because money moves in steps. Plain
 * SVG: two paths and four gridlines.
 */
import { formatFigure, Pnl } from '../../shared/numbers/index.ts';
import { Skeleton, useWidth } from '../../shared/ui/index.ts';
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
const minSpanMs = 3_600_000;
const minuteMs = 60_000;
const dayLabel = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const hourLabel = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

/** Round steps (1, 2, 2.5 or 5 times a power of ten) whose multiples enclose `low` to `high`. */
function niceRange(low: number, high: number): { readonly from: number; readonly step: number } {
  const spread = Math.max(high - low, Math.abs(high) * 0.02, 1);
  const rough = spread / (lines - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const middle = (low + high) / 2;
  const from = Math.floor((middle - (step * (lines - 1)) / 2) / step) * step;
  // A balance is never negative, so its axis is not either.
  return { from: low >= 0 ? Math.max(0, from) : from, step };
}

function Curve({ steps, width }: { readonly steps: readonly BalanceStep[]; readonly width: number }) {
  const balances = steps.map((step) => step.balance);
  const range = niceRange(Math.min(...balances), Math.max(...balances));
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
  const times = Array.from({ length: labels }, (_, index) => first + ((last - first) * index) / labels);

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
      {times.map((at) => (
        <text key={at} x={x(at)} y={height - 4} fill="var(--text-3)">
          {labelOf.format(at)}
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
  // This clock may be behind the server's.
  const whole = Math.min(since, now - minuteMs);
  const oldest = Math.max(Date.parse(entries.at(-1)?.at ?? '') || now, whole);
  const isYoung = oldest > now - days * dayMs;
  const from = isYoung ? Math.max(whole, Math.min(oldest, now - minSpanMs)) : now - days * dayMs;
  const steps = balanceSteps(entries, balance, from, now);
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
