/**
 * The frame of a plot that is read point by point. It is a slider over the points: the pointer, the arrow keys, Home and End
 * choose one, and Escape ends the choice. The plot is drawn for the width that it has, with its value axis at the right.
 */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useId } from 'react';
import { useWidth } from '../ui/index.ts';
import type { Readout } from './readout.ts';

/** The props that every plot hands on to its frame. */
export interface PlotProps extends Readout {
  /** The accessible name. */
  readonly name: string;
  /** A sentence about all points, for screen readers. */
  readonly summary?: string;
  /** The spoken text of one point. */
  readonly describe: (index: number) => string;
  readonly axisWidth?: number;
  /** Called with the point that a click or Enter chooses; `chooses` names what it leads to, such as `its trades`. */
  readonly onChoose?: ((index: number) => void) | undefined;
  readonly chooses?: string | undefined;
  /** Replaces a plot without data. */
  readonly empty?: string | undefined;
}

interface Drawing {
  /** The first index that the plot has room for. */
  readonly first?: number;
  /** The index at a distance from the left edge, px. */
  readonly indexAt: (x: number) => number;
  readonly shapes: ReactNode;
  /** HTML over the plot. */
  readonly overlay?: ReactNode;
}

interface PlotFrameProps extends PlotProps {
  readonly count: number;
  readonly height: number;
  /** Draws into the width left of the axis, px. */
  readonly draw: (right: number, width: number) => Drawing;
}

export function PlotFrame(props: PlotFrameProps) {
  const { name, summary, describe, axisWidth = 60, empty, count, height, draw, active, onRead } = props;
  const { onChoose, chooses } = props;
  const summaryId = useId();
  const [ref, width] = useWidth();
  const content = () => {
    if (empty !== undefined) {
      return <p className="grid h-full place-items-center px-6 text-center text-13 text-text-2">{empty}</p>;
    }
    if (width <= axisWidth) return null;
    const end = count - 1;
    const chosen = active ?? end;
    const { first = 0, indexAt, shapes, overlay } = draw(width - axisWidth, width);
    const limit = (index: number): number => Math.min(end, Math.max(first, index));
    const leave = () => onRead(null);
    const indexUnder = ({ currentTarget, clientX }: MouseEvent<HTMLElement>) =>
      limit(indexAt(clientX - currentTarget.getBoundingClientRect().left));
    const point = (event: PointerEvent<HTMLElement>) => onRead(indexUnder(event));
    const description = [summary, chooses && `Press Enter for ${chooses}.`].filter(Boolean).join(' ');
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: chosen - 1,
      ArrowRight: chosen + 1,
      Home: first,
      End: end,
    };
    const press = (event: KeyboardEvent) => {
      const target = targets[event.key];
      if (event.key === 'Escape') leave();
      if (event.key === 'Enter') onChoose?.(chosen);
      if (target === undefined) return;
      event.preventDefault();
      onRead(limit(target));
    };
    return (
      <div
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-describedby={description === '' ? undefined : summaryId}
        aria-valuemin={first}
        aria-valuemax={end}
        aria-valuenow={chosen}
        aria-valuetext={describe(chosen)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={leave}
        onClick={onChoose && ((event) => onChoose(indexUnder(event)))}
        onBlur={leave}
        onKeyDown={press}
        className={`relative touch-pan-y rounded-[4px] ${onChoose ? 'cursor-pointer' : ''}`}
      >
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className="figures block overflow-visible text-11"
        >
          {shapes}
        </svg>
        {overlay}
        {description === '' ? null : (
          <span id={summaryId} className="sr-only">
            {description}
          </span>
        )}
      </div>
    );
  };
  return (
    <div ref={ref} style={{ height }}>
      {content()}
    </div>
  );
}
