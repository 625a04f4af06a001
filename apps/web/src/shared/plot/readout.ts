/** Reads a plot point by point with the pointer or the arrow keys. Such a plot is a slider over its points. */
import type { KeyboardEvent, PointerEvent } from 'react';

interface Readout {
  /** The index of the selected point, `end` without a selection. */
  readonly active: number;
  /** The last index. */
  readonly end: number;
  /** The point at a distance from the plot's left edge, px. */
  readonly indexAt: (offset: number) => number;
  /** Called with the selected index; null ends the selection. */
  readonly onRead: (index: number | null) => void;
}

/** Handlers for the element with the plot's left edge and the role `slider`. */
export function readoutHandlers({ active, end, indexAt, onRead }: Readout) {
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
