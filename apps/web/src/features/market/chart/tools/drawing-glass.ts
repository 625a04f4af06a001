/**
 * A pane of glass over the chart while a tool is in hand: it takes the pointer, so that drawing works the same with mouse,
 * pen and finger, by clicks or by dragging. klinecharts' own drawing loses a second click that follows within half a
 * second, and drags its chart away under a finger. Wheel and crosshair still reach the chart.
 */
import { type Anchor, anchorCounts, type DrawingTool } from './drawing.ts';

export interface GlassEvents {
  /** Where a place on the glass (px from its top left) lies; null outside of time and price. */
  readonly anchorAt: (x: number, y: number) => Anchor | null;
  /** What would be drawn if the pointer let go here. */
  readonly onPreview: (anchors: readonly Anchor[]) => void;
  readonly onDone: (anchors: readonly Anchor[]) => void;
}

/** Less is a click with an unsteady hand. */
const dragFromPx = 6;
const strokeStepPx = 3;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Lays the glass over `container`; returns the way to lift it. */
export function layGlass(container: HTMLElement, tool: DrawingTool, events: GlassEvents): () => void {
  const glass = document.createElement('div');
  glass.style.cssText = 'position:absolute;inset:0;z-index:5;cursor:crosshair;touch-action:none';
  const due = anchorCounts[tool];
  let fixed: readonly Anchor[] = [];
  /** A click has set the first anchor, and the next one is waited for. */
  let hasFirst = false;
  let pressedAt: Place | null = null;
  /** The last place of a stroke. */
  let drawnTo: Place | null = null;

  const placeOf = ({ clientX, clientY }: PointerEvent): Place => {
    const { left, top } = glass.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const distance = (one: Place, other: Place) => Math.hypot(one.x - other.x, one.y - other.y);
  const isWhole = (anchors: readonly Anchor[]) =>
    due === null ? anchors.length > 1 : anchors.length === due;
  const startOver = () => {
    fixed = [];
    hasFirst = false;
    pressedAt = null;
    drawnTo = null;
  };

  function onDown(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    const place = placeOf(event);
    const anchor = events.anchorAt(place.x, place.y);
    if (!anchor) return;
    glass.setPointerCapture(event.pointerId);
    pressedAt = place;
    drawnTo = place;
    if (fixed.length === 0 && due !== 1) fixed = [anchor];
    events.onPreview(fixed.length < (due ?? 1) ? [...fixed, anchor] : fixed);
  }

  function onMove(event: PointerEvent): void {
    if (!event.isPrimary) return;
    const place = placeOf(event);
    const anchor = events.anchorAt(place.x, place.y);
    if (!anchor) return;
    if (due === null) {
      if (!drawnTo || distance(drawnTo, place) < strokeStepPx) return;
      drawnTo = place;
      fixed = [...fixed, anchor];
      events.onPreview(fixed);
    } else if (fixed.length > 0 || due === 1) events.onPreview([...fixed, anchor]);
  }

  function onUp(event: PointerEvent): void {
    const from = pressedAt;
    if (!event.isPrimary || !from) return;
    pressedAt = null;
    drawnTo = null;
    const place = placeOf(event);
    const anchor = events.anchorAt(place.x, place.y);
    if (due === null) {
      if (isWhole(fixed)) events.onDone(fixed);
      else startOver();
      return;
    }
    if (!anchor) return;
    // The first click sets the first anchor; a drag, or the second click, the last one.
    if (due === 1 || hasFirst || distance(from, place) >= dragFromPx) {
      const anchors = [...fixed, anchor];
      if (isWhole(anchors)) events.onDone(anchors);
    } else hasFirst = true;
  }

  const stop = (event: Event) => event.stopPropagation();
  const noScroll = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  glass.addEventListener('pointerdown', onDown);
  glass.addEventListener('pointermove', onMove);
  glass.addEventListener('pointerup', onUp);
  glass.addEventListener('pointercancel', startOver);
  // What klinecharts would scroll or select by.
  for (const name of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'touchend']) {
    glass.addEventListener(name, stop);
  }
  for (const name of ['touchstart', 'touchmove']) glass.addEventListener(name, noScroll, { passive: false });
  container.append(glass);
  return () => glass.remove();
}
