/**
 * Two plots over one time axis: equity or trading result, and beneath it the drawdown from the highest equity. The
 * pointer or the arrow keys choose an instant, which both plots show. A table of the days has the same data for
 * screen readers.
 */
import type { Performance } from '@fulcrum/contract';
import { useId, useState } from 'react';
import {
  Amount,
  formatAmount,
  formatFigure,
  formatPercent,
  Percent,
  Pnl,
} from '../../shared/numbers/index.ts';
import {
  type CurvePoint,
  createBalanceAxis,
  describeCurve,
  findPoint,
  getAxisTimes,
  readoutHandlers,
  toCurvePath,
} from '../../shared/plot/index.ts';
import { formatDayAndClock } from '../../shared/time/dates.ts';
import { Segmented, useWidth } from '../../shared/ui/index.ts';
import { formatDayLabel, localDay } from './days.ts';

const shownCurves = [
  { value: 'equity', label: 'Equity' },
  { value: 'result', label: 'Net of deposits' },
] as const;
type Shown = (typeof shownCurves)[number]['value'];

const curveHeight = 168;
const gap = 12;
const fallHeight = 64;
const timesHeight = 22;
export const plotHeight = curveHeight + gap + fallHeight + timesHeight;
const axisWidth = 60;
const gridLines = 4;
/** Minimum of the drawdown's scale, so that a cent does not fill it. Per cent. */
const leastDepth = 1;

type Point = Performance['curve'][number];

/** The last point of each day, for the table. */
function countDays(points: readonly Point[]): readonly Point[] {
  return points.filter(({ at }, index) => {
    const next = points[index + 1];
    return !next || localDay(Date.parse(at)) !== localDay(Date.parse(next.at));
  });
}

interface PlotProps {
  readonly points: readonly Point[];
  readonly shown: Shown;
  readonly width: number;
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

function Plot({ points, shown, width, active, onRead }: PlotProps) {
  const summaryId = useId();
  const curve: readonly CurvePoint[] = points.map((point) => ({
    at: Date.parse(point.at),
    value: point[shown],
  }));
  const falls: readonly CurvePoint[] = points.map(({ at, drawdown }) => ({
    at: Date.parse(at),
    value: drawdown,
  }));
  const values = curve.map(({ value }) => value);
  const range = createBalanceAxis(Math.min(...values), Math.max(...values), gridLines);
  const [first, last] = [curve[0]?.at ?? 0, curve.at(-1)?.at ?? 1];
  const span = Math.max(1, last - first);
  const right = width - axisWidth;
  const x = (at: number) => ((at - first) / span) * right;
  const highest = range.from + range.step * (gridLines - 1);
  const y = (value: number) => 6 + ((highest - value) / (highest - range.from)) * (curveHeight - 12);
  const depth = Math.max(leastDepth, ...falls.map(({ value }) => -value));
  const fallTop = curveHeight + gap;
  const yFall = (value: number) => fallTop + 4 + (-value / depth) * (fallHeight - 8);
  const end = points.length - 1;
  const from = active ?? end;
  const read = points[from];
  const decimals = range.step < 1 ? 2 : 0;
  const path = toCurvePath(curve, { x, y }, 'line');
  const fallPath = toCurvePath(falls, { x, y: yFall }, 'line');
  const label = shown === 'equity' ? 'Equity' : 'Result net of deposits';
  const deepest = Math.min(...falls.map(({ value }) => value));
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label} and drawdown over time`}
      aria-describedby={summaryId}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={from}
      aria-valuetext={
        read
          ? `${formatDayAndClock(read.at)}: ${formatAmount(read[shown])} USDT, drawdown ${formatPercent(read.drawdown)}`
          : ''
      }
      {...readoutHandlers({
        active: from,
        end,
        onRead,
        indexAt: (offset) =>
          findPoint(curve, first + (Math.min(Math.max(offset, 0), right) / right) * span, 'line'),
      })}
      className="touch-pan-y rounded-[4px]"
    >
      <svg width={width} height={plotHeight} aria-hidden="true" className="figures block text-11">
        {Array.from({ length: gridLines }, (_, index) => range.from + index * range.step).map((value) => (
          <g key={value}>
            <line x2={right} y1={y(value)} y2={y(value)} stroke="var(--grid)" />
            <text x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
              {formatFigure(value, decimals)}
            </text>
          </g>
        ))}
        {shown === 'result' && range.from < 0 && highest > 0 ? (
          <line x2={right} y1={y(0)} y2={y(0)} stroke="var(--text-3)" strokeDasharray="2 3" />
        ) : null}
        <path d={`${path}V${curveHeight - 6}H0Z`} fill="var(--accent-weak)" />
        <path d={path} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
        {[0, -depth].map((value) => (
          <g key={value}>
            <line x2={right} y1={yFall(value)} y2={yFall(value)} stroke="var(--grid)" />
            <text x={width} y={yFall(value) + 4} textAnchor="end" fill="var(--text-3)">
              {formatPercent(value, 'negative')}
            </text>
          </g>
        ))}
        <path d={`${fallPath}V${yFall(0)}H0Z`} fill="var(--down-weak)" />
        <path d={fallPath} fill="none" stroke="var(--down)" strokeWidth="1.25" strokeLinejoin="round" />
        {getAxisTimes(first, last).map(({ at, label }) => (
          <text key={at} x={x(at)} y={plotHeight - 4} fill="var(--text-3)">
            {label}
          </text>
        ))}
        {active !== null && read ? (
          <g>
            <line
              x1={x(Date.parse(read.at))}
              x2={x(Date.parse(read.at))}
              y2={fallTop + fallHeight}
              stroke="var(--text-3)"
              strokeDasharray="2 3"
            />
            <circle
              cx={x(Date.parse(read.at))}
              cy={y(read[shown])}
              r="4"
              fill="var(--accent)"
              stroke="var(--surface)"
              strokeWidth="2"
            />
            <circle
              cx={x(Date.parse(read.at))}
              cy={yFall(read.drawdown)}
              r="3.5"
              fill="var(--down)"
              stroke="var(--surface)"
              strokeWidth="2"
            />
          </g>
        ) : null}
      </svg>
      <span id={summaryId} className="sr-only">
        {describeCurve(label, curve)} {`Deepest drawdown ${formatPercent(deepest)}.`}
      </span>
    </div>
  );
}

export function EquityPlot({ points }: { readonly points: readonly Point[] }) {
  const [shown, setShown] = useState<Shown>('equity');
  const [active, setActive] = useState<number | null>(null);
  const [ref, width] = useWidth();
  const index = active === null ? null : Math.min(active, points.length - 1);
  const read = points[index ?? points.length - 1];
  const plot = () => {
    if (points.length < 2) {
      return (
        <p className="grid h-full place-items-center px-6 text-center text-13 text-text-2">
          The curve starts with the first deposit.
        </p>
      );
    }
    if (width <= axisWidth) return null;
    return <Plot points={points} shown={shown} width={width} active={index} onRead={setActive} />;
  };
  return (
    <div className="relative min-w-0 p-4">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="text-13 font-semibold">Equity and drawdown</h3>
        <Segmented<Shown>
          label="Curve"
          options={shownCurves}
          value={shown}
          onChange={setShown}
          size="compact"
        />
      </div>
      <p className="figures mt-1 flex h-10 flex-wrap content-center items-center gap-x-3 text-12 text-text-3 md:h-5">
        {read ? (
          <>
            <span>{index === null ? 'Now' : formatDayAndClock(read.at)}</span>
            <span>
              equity <Amount value={read.equity} className="text-text" />
            </span>
            <span>
              net of deposits <Pnl value={read.result} />
            </span>
            <span>
              drawdown <Percent value={read.drawdown} />
            </span>
          </>
        ) : null}
      </p>
      <div ref={ref} className="mt-2" style={{ height: plotHeight }}>
        {plot()}
      </div>
      <table className="sr-only">
        <caption>Equity, result net of deposits and drawdown at the end of each day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Equity, USDT</th>
            <th scope="col">Net of deposits, USDT</th>
            <th scope="col">Drawdown</th>
          </tr>
        </thead>
        <tbody>
          {countDays(points).map((point) => (
            <tr key={point.at}>
              <th scope="row">{formatDayLabel(localDay(Date.parse(point.at)))}</th>
              <td>{formatAmount(point.equity)}</td>
              <td>{formatAmount(point.result, 'always')}</td>
              <td>{formatPercent(point.drawdown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
