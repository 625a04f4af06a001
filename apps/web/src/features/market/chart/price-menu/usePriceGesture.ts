/**
 * The two gestures that ask for a price's menu: a right click, and a finger that rests. A finger that moves scrolls the
 * chart instead. `open` returns whether there is a price at the point.
 */
import { type MouseEvent, type PointerEvent, useCallback, useEffect, useRef } from 'react';

const longPressMs = 600;
const restsWithinPx = 8;

interface Press {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly x: number;
  readonly y: number;
}

export function usePriceGesture(open: (clientX: number, clientY: number) => boolean) {
  const press = useRef<Press | null>(null);
  const end = useCallback(() => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  }, []);
  useEffect(() => end, [end]);
  return {
    onContextMenu: (event: MouseEvent) => {
      if (open(event.clientX, event.clientY)) event.preventDefault();
    },
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
      end();
      if (pointerType !== 'touch' || !isPrimary) return;
      press.current = { x, y, timer: setTimeout(() => open(x, y), longPressMs) };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { current } = press;
      if (current && Math.hypot(clientX - current.x, clientY - current.y) > restsWithinPx) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
