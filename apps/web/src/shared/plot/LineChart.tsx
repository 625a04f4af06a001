/** Curves over one horizontal axis, in one or more panes below each other, with a read-out through all of them. */
import { Fragment, useId } from 'react';
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
}

interface LineChartProps extends PlotProps {
  /** The place of each point on the horizontal axis, increasing. */
  readonly at: readonly number[];
  readonly kind: CurveKind;
  readonly panes: readonly Pane[];
  /** `step` is the distance of two points, px, when all have the same. */
  readonly getLabels: (step: number) => readonly AxisLabel[];
  /** A text over the first pane. */
  readonly note?: string | undefined;
}

const paneGap = 12;
/** The room that a dot at each point needs at both ends of the curve, px. */
const dotRoom = 16;
const colourByDirection = { up: 'var(--up)', down: 'var(--down)', none: 'var(--text-2)' } as const;
const colourOf = (tone: Pane['tone'], value: number): string =>
  tone === 'sign' ? colourByDirection[directionOf(value, 0)] : `var(--${tone})`;

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

interface CurveProps extends Pick<Pane, 'tone'> {
  readonly points: readonly (Position | null)[];
  readonly kind: CurveKind;
  /** The y of the area's end, which separates the colours of `sign`. */
  readonly base: number;
  readonly width: number;
}

function Curve({ points, kind, base, tone, width }: CurveProps) {
  const clipId = useId();
  const runs = splitRuns(points);
  const line = runs.map((run) => toLinePath(run, kind)).join('');
  const area = runs.map((run) => toAreaPath(run, kind, base)).join('');
  const sides = tone === 'sign' ? (['up', 'down'] as const) : [tone];
  return sides.map((side) => (
    <Fragment key={side}>
      {tone === 'sign' ? (
        <clipPath id={`${clipId}${side}`}>
          <rect y={side === 'up' ? 0 : base} width={width} height={side === 'up' ? base : '100%'} />
        </clipPath>
      ) : null}
      <g clipPath={tone === 'sign' ? `url(#${clipId}${side})` : undefined}>
        <path d={area} fill={`var(--${side}-weak)`} />
        <path d={line} fill="none" stroke={`var(--${side})`} strokeWidth="1.5" strokeLinejoin="round" />
      </g>
    </Fragment>
  ));
}

/** The height of a chart with panes of these heights, px. */
export const getLineChartHeight = (...panes: readonly number[]): number =>
  panes.reduce((sum, height) => sum + height + paneGap, labelsHeight - paneGap);

export function LineChart({ at, kind, panes, getLabels, note, ...frame }: LineChartProps) {
  const height = getLineChartHeight(...panes.map((pane) => pane.height));
  const end = at.length - 1;
  const isDotted = panes.some(({ tone }) => tone === 'sign');
  return (
    <PlotFrame
      {...frame}
      count={at.length}
      height={height}
      draw={(right, width) => {
        const span = [at[0] ?? 0, at[end] ?? 0] as const;
        const room = isDotted ? dotRoom : 0;
        const [start, stop] = [room, Math.max(room + 1, right - room / 2)];
        const x = createScale(span, [start, stop]);
        const toTime = createScale([start, stop], span);
        let top = 0;
        const placed = panes.map((pane) => {
          const { axis } = pane;
          const y = createScale([axis.high, axis.low], [top + edge, top + pane.height - edge]);
          top += pane.height + paneGap;
          return {
            ...pane,
            y,
            points: pane.values.map((value, index) =>
              value === null ? null : { x: x(at[index] ?? 0), y: y(value), value },
            ),
          };
        });
        const crossed = frame.active === null ? undefined : at[frame.active];
        const shapes = (
          <>
            {placed.map(({ axis, y, points, base, tone }, pane) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pane is identified by its place
              <Fragment key={pane}>
                <ValueAxis ticks={axis.ticks} y={y} right={right} width={width} />
                <Curve points={points} kind={kind} base={y(base)} tone={tone} width={width} />
              </Fragment>
            ))}
            <AxisLabels labels={getLabels((stop - start) / Math.max(1, end))} x={x} height={height} />
            {crossed === undefined ? null : (
              <line
                x1={x(crossed)}
                x2={x(crossed)}
                y1={edge}
                y2={height - labelsHeight}
                stroke="var(--text-3)"
                strokeDasharray="2 3"
              />
            )}
            {placed.flatMap(({ points, tone }) =>
              points.map((point, index) => {
                const isChosen = index === (frame.active ?? (tone === 'sign' ? end : null));
                if (point === null || (tone !== 'sign' && !isChosen)) return null;
                const colour = colourOf(tone, point.value);
                return (
                  <Dot
                    key={`${tone} ${point.x}`}
                    x={point.x}
                    y={point.y}
                    colour={colour}
                    isChosen={isChosen}
                  />
                );
              }),
            )}
            {note === undefined ? null : (
              <text
                x={right / 2}
                y={(placed[0]?.y(placed[0].base) ?? 0) - 12}
                textAnchor="middle"
                fill="var(--text-2)"
                fontSize="13"
              >
                {note}
              </text>
            )}
          </>
        );
        return { indexAt: (offset) => findPoint(at, toTime(offset), kind), shapes };
      }}
    />
  );
}
