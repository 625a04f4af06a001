/** Curves over one horizontal axis, in one or more panes below each other, with a read-out through all of them. */
import { useId } from 'react';
import { directionOf } from '../numbers/index.ts';
import { AxisLabels, edge, labelsHeight, ValueAxis } from './axes.tsx';
import { PlotFrame, type PlotProps } from './PlotFrame.tsx';
import { type CurveKind, findPoint, type Position, splitRuns, toAreaPath, toLinePath } from './points.ts';
import { type Axis, type AxisLabel, createScale } from './scale.ts';

export interface Pane {
  readonly height: number;
  readonly axis: Axis;
  /** One for each point of the horizontal axis; null breaks the line. */
  readonly values: readonly (number | null)[];
  /** The value at which the area below the line ends. */
  readonly base: number;
  /** `sign`: the gain colour above zero, the loss colour below it, and a dot at each point. */
  readonly tone: 'accent' | 'down' | 'sign';
  /** A text over the base. */
  readonly note?: string | undefined;
}

interface LineChartProps extends PlotProps {
  /** The place of each point on the horizontal axis, increasing. */
  readonly at: readonly number[];
  readonly kind: CurveKind;
  readonly panes: readonly Pane[];
  /** `step` is the distance of two points, px, when all have the same. */
  readonly getLabels: (step: number) => readonly AxisLabel[];
}

const paneGap = 12;
/** The room that a dot at each point needs at both ends of the curve, px. */
const dotRoom = 16;
const colourByDirection = { up: 'var(--up)', down: 'var(--down)', none: 'var(--text-2)' } as const;

interface DotProps extends Position {
  readonly colour: string;
  readonly isChosen: boolean;
}

function Dot({ x, y, colour, isChosen }: DotProps) {
  if (!isChosen) return <circle cx={x} cy={y} r="2.5" fill={colour} />;
  return (
    <>
      <circle cx={x} cy={y} r="8" fill={colour} opacity="0.2" />
      <circle cx={x} cy={y} r="4.5" fill={colour} stroke="var(--surface)" strokeWidth="2" />
    </>
  );
}

interface PaneShapesProps {
  readonly pane: Pane;
  readonly top: number;
  /** The x of each point. */
  readonly xs: readonly number[];
  readonly kind: CurveKind;
  readonly active: number | null;
  readonly right: number;
  readonly width: number;
}

function PaneShapes({ pane, top, xs, kind, active, right, width }: PaneShapesProps) {
  const { height, axis, values, base, tone, note } = pane;
  const clipId = useId();
  const y = createScale([axis.high, axis.low], [top + edge, top + height - edge]);
  const points = values.map((value, index) =>
    value === null ? null : { x: xs[index] ?? 0, y: y(value), value },
  );
  const runs = splitRuns(points);
  const line = runs.map((run) => toLinePath(run, kind)).join('');
  const area = runs.map((run) => toAreaPath(run, kind, y(base))).join('');
  const isSigned = tone === 'sign';
  const chosen = active ?? (isSigned ? values.length - 1 : null);
  return (
    <>
      <ValueAxis ticks={axis.ticks} y={y} right={right} width={width} />
      {(isSigned ? (['up', 'down'] as const) : [tone]).map((side) => (
        <g key={side} clipPath={isSigned ? `url(#${clipId}${side})` : undefined}>
          {isSigned ? (
            <clipPath id={`${clipId}${side}`}>
              <rect y={side === 'up' ? 0 : y(base)} width={width} height={side === 'up' ? y(base) : '100%'} />
            </clipPath>
          ) : null}
          <path d={area} fill={`var(--${side}-weak)`} />
          <path d={line} fill="none" stroke={`var(--${side})`} strokeWidth="1.5" strokeLinejoin="round" />
        </g>
      ))}
      {points.map((point, index) =>
        point && (isSigned || index === chosen) ? (
          <Dot
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is identified by its index on the axis
            key={index}
            x={point.x}
            y={point.y}
            colour={isSigned ? colourByDirection[directionOf(point.value, 0)] : `var(--${tone})`}
            isChosen={index === chosen}
          />
        ) : null,
      )}
      <text x={right / 2} y={y(base) - 12} textAnchor="middle" fill="var(--text-2)" fontSize="13">
        {note}
      </text>
    </>
  );
}

/** The height of a chart with panes of these heights, px. */
export const getLineChartHeight = (...panes: readonly number[]): number =>
  panes.reduce((sum, height) => sum + height + paneGap, labelsHeight - paneGap);

export function LineChart({ at, kind, panes, getLabels, ...frame }: LineChartProps) {
  const heights = panes.map(({ height }) => height);
  const height = getLineChartHeight(...heights);
  const end = at.length - 1;
  const span = [at[0] ?? 0, at[end] ?? 0] as const;
  const room = panes.some(({ tone }) => tone === 'sign') ? dotRoom : 0;
  const crossed = frame.active === null ? undefined : at[frame.active];
  return (
    <PlotFrame
      {...frame}
      count={at.length}
      height={height}
      draw={(right, width) => {
        const [start, stop] = [room, Math.max(room + 1, right - room / 2)];
        const x = createScale(span, [start, stop]);
        const shapes = (
          <>
            {crossed === undefined ? null : (
              <path
                d={`M${x(crossed)} ${edge}V${height - labelsHeight}`}
                stroke="var(--text-3)"
                strokeDasharray="2 3"
              />
            )}
            {panes.map((pane, index) => (
              <PaneShapes
                // biome-ignore lint/suspicious/noArrayIndexKey: a pane is identified by its place
                key={index}
                pane={pane}
                top={heights.slice(0, index).reduce((sum, before) => sum + before + paneGap, 0)}
                xs={at.map(x)}
                kind={kind}
                active={frame.active}
                right={right}
                width={width}
              />
            ))}
            <AxisLabels labels={getLabels((stop - start) / Math.max(1, end))} x={x} height={height} />
          </>
        );
        const toAxis = createScale([start, stop], span);
        return { indexAt: (offset) => findPoint(at, toAxis(offset), kind), shapes };
      }}
    />
  );
}
