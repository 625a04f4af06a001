/**
 * Twelve hourly points on a fixed axis of -50 to 50 (DASH-12, DASH-14), in the gain colour above zero and the loss
 * colour below, the last one ringed. A table has the same figures for screen readers.
 */
import type { MarketSentiment } from '@fulcrum/contract';
import { SENTIMENT_BOUND } from '@fulcrum/domain';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { getLineChartHeight, LineChart, PlotTable, type Readout } from '../../../shared/plot/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';

const paneHeight = 202;
export const chartHeight = getLineChartHeight(paneHeight);
const axisWidth = 36;
/** Minimum spacing for '05:00' under each point. */
const wholeLabelStep = 38;

type HourlyPoint = MarketSentiment['points'][number];

const pointsText = (value: number): string => formatFigure(value, 0, 'always');
const describePoint = (value: number | null): string =>
  value === null ? 'not available' : pointsText(value);

const axis = {
  low: -SENTIMENT_BOUND,
  high: SENTIMENT_BOUND,
  ticks: [50, 25, 0, -25, -50].map((value) => ({ value, label: pointsText(value) })),
};

/** Full hours are labelled by the hour alone; otherwise every second point has a full label. */
function getLabels(points: readonly HourlyPoint[], step: number): readonly string[] {
  const clocks = points.map(({ hour }) => formatClock(hour));
  if (step >= wholeLabelStep) return clocks;
  if (clocks.every((clock) => clock.endsWith(':00'))) return clocks.map((clock) => clock.slice(0, 2));
  return clocks.map((clock, index) => ((clocks.length - 1 - index) % 2 === 0 ? clock : ''));
}

function describePoints(points: readonly HourlyPoint[]): string {
  const known = points.flatMap(({ value }) => value ?? []);
  const last = points.at(-1)?.value ?? null;
  if (known.length === 0) return 'Not known for any of the last 12 hours.';
  const now = last === null ? 'not known for the running hour' : `${pointsText(last)} now`;
  const [least, most] = [pointsText(Math.min(...known)), pointsText(Math.max(...known))];
  return `Market sentiment: ${now}, between ${least} and ${most} in the last 12 hours, on a scale of \u221250 to +50.`;
}

interface SentimentChartProps extends Readout {
  readonly points: readonly HourlyPoint[];
}

export function SentimentChart({ points, ...readout }: SentimentChartProps) {
  const values = points.map(({ value }) => value);
  const note = values.every((value) => value === null) ? 'Not enough hourly bars yet' : undefined;
  const describe = (index: number): string => {
    const point = points[index];
    return point ? `${formatClock(point.hour)}: ${describePoint(point.value)}` : '';
  };
  return (
    <>
      <LineChart
        name="Market sentiment by hour"
        summary={describePoints(points)}
        describe={describe}
        axisWidth={axisWidth}
        at={points.map((_, index) => index)}
        kind="smooth"
        panes={[{ height: paneHeight, axis, values, base: 0, tone: 'sign', note }]}
        getLabels={(step) => getLabels(points, step).map((label, at) => ({ at, label }))}
        {...readout}
      />
      <PlotTable
        caption="Market sentiment of the last 12 hours"
        columns={['Hour', 'Sentiment']}
        rows={points.map(({ hour, value }) => [formatClock(hour), describePoint(value)])}
      />
    </>
  );
}
