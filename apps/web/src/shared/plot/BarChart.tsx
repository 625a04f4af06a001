/**
 * Bars from a zero line, positive ones up, negative ones down. Colour is not the only sign: the side of the line shows the
 * same. A bar may begin elsewhere than at zero, as the steps of a waterfall do. When there is no room for all bars, the latest
 * are drawn.
 */
import type { ReactNode } from 'react';
import { AxisLabels, edge, labelsHeight, ValueAxis } from './axes.tsx';
import { PlotFrame, type PlotProps } from './PlotFrame.tsx';
import { createScale } from './scale.ts';

export type BarTone = 'up' | 'down' | 'accent';

export interface Bar {
  /** Such as `Mon 16 Nov`; identifies the bar. */
  readonly name: string;
  /** The label below it where there is room, such as `16 Nov`. */
  readonly tick: string;
  /** Bars at the same place, each from `from` (default zero) to `value`. */
  readonly parts: readonly { readonly from?: number; readonly value: number; readonly tone: BarTone }[];
}

interface BarChartProps extends PlotProps {
  readonly bars: readonly Bar[];
  readonly height: number;
  /** Which bar always has its label: for days the last (today), for hours the first (midnight). */
  readonly named: 'first' | 'last';
  /** Formats the highest and the lowest value. */
  readonly formatTick: (value: number) => string;
  /** A tooltip beside the chosen bar. */
  readonly renderTip?: (index: number) => ReactNode;
}

/** The minimum width of a bar with its gap, px. */
const minPitch = 3;
const maxBarWidth = 28;
/** The minimum distance of two labels below the bars, px. */
const labelWidth = 52;
/** The minimum distance of two labels of the axis, px. */
const labelHeight = 14;
const tipWidth = 184;
/** About half the width of a label's character, px. */
const halfCharacter = 3.2;

export function BarChart({ bars: all, height, named, formatTick, renderTip, ...frame }: BarChartProps) {
  const bottom = height - labelsHeight;
  return (
    <PlotFrame
      {...frame}
      count={all.length}
      height={height}
      draw={(right, width) => {
        const first = Math.max(0, all.length - Math.max(1, Math.floor(right / minPitch)));
        const bars = all.slice(first);
        const values = bars.flatMap(({ parts }) => parts.flatMap(({ from = 0, value }) => [from, value]));
        const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
        // Without any value the zero line is at the bottom.
        const y = createScale([low === high ? 1 : high, low], [edge, bottom - edge]);
        const bounds = [high, low]
          .filter((value) => value !== 0)
          .map((value) => {
            const label = formatTick(value);
            // Near the zero line, or rounded to zero, a label would repeat that line's.
            const hasLabel = label !== '0' && Math.abs(y(value) - y(0)) >= labelHeight;
            return { value, label: hasLabel ? label : '' };
          });
        const pitch = right / bars.length;
        const barWidth = Math.max(1, Math.min(pitch - 1, pitch * 0.72, maxBarWidth));
        const x = (index: number) => (index + 0.5) * pitch;
        const labelEvery = Math.max(1, Math.ceil(labelWidth / pitch));
        const labels = bars
          .map(({ tick }, index) => ({ at: index, label: tick }))
          .filter(({ at, label }) =>
            named === 'first'
              ? at % labelEvery === 0
              : (bars.length - 1 - at) % labelEvery === 0 && x(at) >= label.length * halfCharacter,
          );
        const active = frame.active === null ? null : Math.max(0, frame.active - first);
        const shapes = (
          <>
            {active === null ? null : (
              <rect x={active * pitch} width={pitch} height={bottom} fill="var(--accent-weak)" rx="2" />
            )}
            <ValueAxis ticks={[...bounds, { value: 0, label: '0' }]} y={y} right={right} width={width} />
            {bars.map(({ name, parts }, index) =>
              parts.map(({ from = 0, value, tone }) =>
                value === from ? null : (
                  <rect
                    key={`${name} ${tone}`}
                    x={x(index) - barWidth / 2}
                    width={barWidth}
                    y={Math.min(y(value), y(from))}
                    height={Math.max(1, Math.abs(y(value) - y(from)))}
                    fill={`var(--${tone})`}
                    opacity={active === null || index === active ? 1 : 0.7}
                    rx={Math.min(2, barWidth / 3)}
                  />
                ),
              ),
            )}
            <AxisLabels labels={labels} x={x} height={height} />
          </>
        );
        const tip = () => {
          if (active === null || !renderTip) return null;
          const away = barWidth / 2 + 6;
          const beside = x(active) + away;
          const left = beside + tipWidth <= width ? beside : Math.max(0, x(active) - away - tipWidth);
          return (
            <div
              aria-hidden="true"
              className="pointer-events-none absolute top-1 z-10 rounded-control border border-line-strong bg-raised px-3 py-2 text-12 shadow-raised"
              style={{ left, width: tipWidth }}
            >
              {renderTip(active + first)}
            </div>
          );
        };
        return { first, indexAt: (offset) => first + Math.floor(offset / pitch), shapes, overlay: tip() };
      }}
    />
  );
}
