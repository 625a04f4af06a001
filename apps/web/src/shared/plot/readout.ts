/** How a plot is read point by point, by the pointer or the arrow keys. A plot that is read is a slider over its points. */
import type { KeyboardEvent, PointerEvent } from 'react';

interface Readout {
  /** The index of the point that is read, of `end` when none is. */
  readonly active: number;
  /** The last index. */
  readonly end: number;
  /** The point at a distance from the plot's left edge, px. */
  readonly indexAt: (offset: number) => number;
  /** Null: nothing is read any more. */
  readonly onRead: (index: number | null) => void;
}

/** For the element that has the plot's left edge and the role `slider`. */
export function readoutEvents({ active, end, indexAt, onRead }: Readout) {
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    onRead(indexAt(event.clientX - left));
  };
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, active - 1),
    ArrowRight: Math.min(end, active + 1),
    Home: 0,
    End: end,
  };
  const leave = () => onRead(null);
  return {
    onPointerMove: point,
    onPointerDown: point,
    onPointerLeave: leave,
    onBlur: leave,
    onKeyDown: (event: KeyboardEvent) => {
      const to = moves[event.key];
      if (event.key === 'Escape') leave();
      if (to === undefined) return;
      event.preventDefault();
      onRead(to);
    },
  };
}
