/**
 * A transparent layer over the chart while a drawing tool is active. It captures the pointer, so that drawing works
 * the same with mouse, pen and touch, by clicks or by dragging. klinecharts' own drawing loses a second click within
 * half a second, and scrolls its chart under touch. Wheel and crosshair still reach the chart.
 */
import { type Anchor, anchorCounts, type DrawingTool } from './drawing.ts';

export interface InputLayerEvents {
  /** The anchor at a point of the layer (px from its top left); null outside of time and price. */
  readonly anchorAt: (x: number, y: number) => Anchor | null;
  /** Receives the drawing that a release of the pointer would make now. */
  readonly onPreview: (anchors: readonly Anchor[]) => void;
  readonly onDone: (anchors: readonly Anchor[]) => void;
}

/** A shorter movement counts as a click. */
const dragFromPx = 6;
const strokeStepPx = 3;

interface LayerPoint {
  readonly x: number;
  readonly y: number;
}

/** Puts the layer over `container`; returns the function that removes it. */
export function createInputLayer(
  container: HTMLElement,
  tool: DrawingTool,
  events: InputLayerEvents,
): () => void {
  const layer = document.createElement('div');
  layer.style.cssText = 'position:absolute;inset:0;z-index:5;cursor:crosshair;touch-action:none';
  const anchorCount = anchorCounts[tool];
  let fixed: readonly Anchor[] = [];
  /** A click has set the first anchor, and the layer waits for the next one. */
  let hasFirst = false;
  let pointerDownAt: LayerPoint | null = null;
  /** The last point of a stroke. */
  let lastStrokePoint: LayerPoint | null = null;

  const toLayerPoint = ({ clientX, clientY }: PointerEvent): LayerPoint => {
    const { left, top } = layer.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const distance = (one: LayerPoint, other: LayerPoint) => Math.hypot(one.x - other.x, one.y - other.y);
  const isComplete = (anchors: readonly Anchor[]) =>
    anchorCount === null ? anchors.length > 1 : anchors.length === anchorCount;
  const startOver = () => {
    fixed = [];
    hasFirst = false;
    pointerDownAt = null;
    lastStrokePoint = null;
  };

  function onDown(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    const point = toLayerPoint(event);
    const anchor = events.anchorAt(point.x, point.y);
    if (!anchor) return;
    layer.setPointerCapture(event.pointerId);
    pointerDownAt = point;
    lastStrokePoint = point;
    if (fixed.length === 0 && anchorCount !== 1) fixed = [anchor];
    events.onPreview(fixed.length < (anchorCount ?? 1) ? [...fixed, anchor] : fixed);
  }

  function onMove(event: PointerEvent): void {
    if (!event.isPrimary) return;
    const point = toLayerPoint(event);
    const anchor = events.anchorAt(point.x, point.y);
    if (!anchor) return;
    if (anchorCount === null) {
      if (!lastStrokePoint || distance(lastStrokePoint, point) < strokeStepPx) return;
      lastStrokePoint = point;
      fixed = [...fixed, anchor];
      events.onPreview(fixed);
    } else if (fixed.length > 0 || anchorCount === 1) events.onPreview([...fixed, anchor]);
  }

  function onUp(event: PointerEvent): void {
    const from = pointerDownAt;
    if (!event.isPrimary || !from) return;
    pointerDownAt = null;
    lastStrokePoint = null;
    const point = toLayerPoint(event);
    const anchor = events.anchorAt(point.x, point.y);
    if (anchorCount === null) {
      if (isComplete(fixed)) events.onDone(fixed);
      else startOver();
      return;
    }
    if (!anchor) return;
    // The first click sets the first anchor; a drag or the second click sets the last one.
    if (anchorCount === 1 || hasFirst || distance(from, point) >= dragFromPx) {
      const anchors = [...fixed, anchor];
      if (isComplete(anchors)) events.onDone(anchors);
    } else hasFirst = true;
  }

  const stop = (event: Event) => event.stopPropagation();
  const preventScroll = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  layer.addEventListener('pointerdown', onDown);
  layer.addEventListener('pointermove', onMove);
  layer.addEventListener('pointerup', onUp);
  layer.addEventListener('pointercancel', startOver);
  // The events that klinecharts scrolls or selects by.
  for (const name of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'touchend']) {
    layer.addEventListener(name, stop);
  }
  for (const name of ['touchstart', 'touchmove'])
    layer.addEventListener(name, preventScroll, { passive: false });
  container.append(layer);
  return () => layer.remove();
}
