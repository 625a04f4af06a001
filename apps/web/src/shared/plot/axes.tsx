/** The gridlines of a plot with their values, and the labels below it. */
import type { Axis, AxisLabel, Scale } from './scale.ts';

/** The height of the labels below a plot, px. */
export const labelsHeight = 22;
/** The room between the outer gridlines and the edges of a plot, px. */
export const edge = 6;

interface ValueAxisProps extends Pick<Axis, 'ticks'> {
  readonly y: Scale;
  readonly right: number;
  readonly width: number;
}

/** Gridlines with their values at the right. */
export function ValueAxis({ ticks, y, right, width }: ValueAxisProps) {
  return ticks.map(({ value, label }) => (
    <g key={value}>
      <line
        x2={right}
        y1={y(value)}
        y2={y(value)}
        stroke={value === 0 ? 'var(--line-strong)' : 'var(--grid)'}
      />
      <text x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
        {label}
      </text>
    </g>
  ));
}

interface AxisLabelsProps {
  readonly labels: readonly AxisLabel[];
  readonly x: Scale;
  readonly height: number;
}

/** Labels centred below their points. */
export function AxisLabels({ labels, x, height }: AxisLabelsProps) {
  return labels.map(({ at, label }) => (
    <text key={at} x={x(at)} y={height - 5} textAnchor="middle" fill="var(--text-3)">
      {label}
    </text>
  ));
}
