/**
 * Equity or trading result over time, and beneath it the drawdown from the highest equity. The figures of the chosen
 * instant are above the curves; a table of the days has the same data for screen readers.
 */
import type { Performance } from '@fulcrum/contract';
import { useState } from 'react';
import { Amount, formatAmount, formatPercent, Percent, Pnl } from '../../shared/numbers/index.ts';
import {
  createBalanceAxis,
  describeCurve,
  getLineChartHeight,
  getTimeLabels,
  LineChart,
  PlotTable,
  useReadout,
} from '../../shared/plot/index.ts';
import { formatDayAndClock } from '../../shared/time/dates.ts';
import { Segmented } from '../../shared/ui/index.ts';
import { formatDayLabel, localDay } from './days.ts';

const shownCurves = [
  { value: 'equity', label: 'Equity' },
  { value: 'result', label: 'Net of deposits' },
] as const;
type Shown = (typeof shownCurves)[number]['value'];

const curveHeight = 168;
const drawdownHeight = 64;
export const plotHeight = getLineChartHeight(curveHeight, drawdownHeight);
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

interface EquityPlotProps {
  readonly points: readonly Point[];
  /** Opens the trades of a day, `YYYY-MM-DD`. */
  readonly onChooseDay: (day: string) => void;
}

export function EquityPlot({ points, onChooseDay }: EquityPlotProps) {
  const [shown, setShown] = useState<Shown>('equity');
  const readout = useReadout(points.length);
  const read = points[readout.active ?? points.length - 1];
  const at = points.map((point) => Date.parse(point.at));
  const values = points.map((point) => point[shown]);
  const drawdowns = points.map(({ drawdown }) => drawdown);
  const deepest = Math.min(...drawdowns);
  const low = Math.min(-leastDepth, deepest);
  const axis = createBalanceAxis(values);
  const what = shown === 'equity' ? 'Equity' : 'Result net of deposits';
  const curve = points.map((point, index) => ({ at: at[index] ?? 0, value: point[shown] }));
  const describe = (index: number): string => {
    const point = points[index];
    if (!point) return '';
    return `${formatDayAndClock(point.at)}: ${formatAmount(point[shown])} USDT, drawdown ${formatPercent(point.drawdown)}`;
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
            <span>{readout.active === null ? 'Now' : formatDayAndClock(read.at)}</span>
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
      <div className="mt-2">
        <LineChart
          name={`${what} and drawdown over time`}
          summary={`${describeCurve(what, curve)} Deepest drawdown ${formatPercent(deepest)}.`}
          describe={describe}
          empty={points.length < 2 ? 'The curve starts with the first deposit.' : undefined}
          at={at}
          kind="line"
          panes={[
            { height: curveHeight, axis, values, base: axis.low, tone: 'accent' },
            {
              height: drawdownHeight,
              axis: {
                low,
                high: 0,
                ticks: [0, low].map((value) => ({ value, label: formatPercent(value, 'negative') })),
              },
              values: drawdowns,
              base: 0,
              tone: 'down',
            },
          ]}
          getLabels={() => getTimeLabels(at)}
          chooses="the trades of its day"
          onChoose={(index) => {
            const instant = at[index];
            if (instant !== undefined) onChooseDay(localDay(instant));
          }}
          {...readout}
        />
      </div>
      <PlotTable
        caption="Equity, result net of deposits and drawdown at the end of each day"
        columns={['Day', 'Equity, USDT', 'Net of deposits, USDT', 'Drawdown']}
        rows={countDays(points).map((point) => [
          formatDayLabel(localDay(Date.parse(point.at))),
          formatAmount(point.equity),
          formatAmount(point.result, 'always'),
          formatPercent(point.drawdown),
        ])}
      />
    </div>
  );
}
