/**
 * The drawings on a chart's canvas. It shows the drawings of the settings, creates them by pointer or keyboard,
 * selects and moves them. It reports changes to `events` and stores nothing.
 *
 * Invariant: an anchor that was not moved keeps its time to the millisecond, although the canvas knows bars only.
 */
import type { Chart, Coordinate, OverlayCreate, OverlayEvent, Point } from 'klinecharts';
import { newClientId } from '../../../../shared/ids/index.ts';
import type { ChartColours } from '../chart-theme.ts';
import type { DrawingRules } from '../settings/chart-settings.ts';
import { type Anchor, anchorCounts, type Drawing, type DrawingTool, newDrawing } from './drawing.ts';
import { createInputLayer } from './drawing-input-layer.ts';
import { type DrawingStyle, getTemplateName } from './drawing-templates.ts';

export interface DrawingEvents {
  readonly onDrawn: (drawing: Drawing) => void;
  readonly onMoved: (drawing: Drawing) => void;
  readonly onSelect: (id: string | null) => void;
}

export interface ShownDrawings extends DrawingRules {
  readonly drawings: readonly Drawing[];
  readonly selected: string | null;
}

export interface DrawingLayer {
  /** Shows exactly these drawings. */
  readonly show: (shown: ShownDrawings) => void;
  /** The next clicks on the chart draw with the tool; null cancels the drawing in progress. */
  readonly begin: (tool: DrawingTool | null) => void;
  /** Creates a drawing in the middle of the visible range, for the keyboard; null while there are no bars. */
  readonly createCentred: (tool: DrawingTool) => Drawing | null;
  /** The drawing moved by bars and by steps of a hundredth of the height. */
  readonly nudge: (drawing: Drawing, bars: number, steps: number) => Drawing;
  readonly setEvents: (events: DrawingEvents) => void;
  /** Draws again after a change of colours or of the pair's decimals. */
  readonly redraw: (colours: ChartColours, priceDecimals: number) => void;
}

const pane = { paneId: 'candle_pane' } as const;
const stepsOfHeight = 100;
/** Range of the magnet. */
const magnetPx = 14;

const silent: DrawingEvents = { onDrawn: () => {}, onMoved: () => {}, onSelect: () => {} };
const nothing: ShownDrawings = { drawings: [], selected: null, magnet: false, locked: false, hidden: false };

/** The anchors if every point has time and price, else null. */
function toAnchors(points: readonly Partial<Point>[]): readonly Anchor[] | null {
  const anchors = points.flatMap(({ timestamp, value }) =>
    timestamp === undefined || value === undefined ? [] : [{ at: timestamp, price: value }],
  );
  return anchors.length === points.length && anchors.length > 0 ? anchors : null;
}

/** `container` is the chart's own element. */
export function createDrawingLayer(
  chart: Chart,
  container: HTMLElement,
  firstColours: ChartColours,
): DrawingLayer {
  let colours = firstColours;
  let priceDecimals = 2;
  let shown = nothing;
  let events = silent;
  let removeInputLayer: (() => void) | null = null;
  let previewed: string | null = null;
  const onCanvas = new Map<string, Drawing>();

  const isCoordinate = (at: Partial<Coordinate> | Partial<Coordinate>[] | undefined): at is Coordinate =>
    at !== undefined && !Array.isArray(at) && at.x !== undefined && at.y !== undefined;
  const barOf = (at: number): number | undefined => {
    const coordinate = chart.convertToPixel({ timestamp: at, value: 0 }, pane);
    return isCoordinate(coordinate) ? coordinate.x : undefined;
  };
  /** The bar and the price at a point of the price pane; a point outside counts as its edge. */
  const anchorAt = (x: number, y: number): Anchor | null => {
    const size = chart.getSize(pane.paneId, 'main');
    if (!size) return null;
    const inside = {
      x: Math.min(Math.max(x, 0), size.width),
      y: Math.min(Math.max(y, 0), size.height),
    };
    const point = chart.convertFromPixel([inside], pane);
    return toAnchors([Array.isArray(point) ? (point[0] ?? {}) : point])?.[0] ?? null;
  };
  /** The same with the time between two bars, for strokes. */
  const exactAt = (x: number, y: number): Anchor | null => {
    const anchor = anchorAt(x, y);
    const middle = anchor && barOf(anchor.at);
    if (!anchor || middle === null || middle === undefined) return anchor;
    const step = chart.getBarSpace().bar;
    const next = anchorAt(middle + (x < middle ? -step : step), y);
    const share = Math.min(1, Math.abs(x - middle) / step);
    return next ? { ...anchor, at: Math.round(anchor.at + (next.at - anchor.at) * share) } : anchor;
  };
  /** Snaps to the nearest of the bar's open, high, low and close within the magnet's range. */
  const snapToBar = (anchor: Anchor): Anchor => {
    const bar = chart.getDataList().find(({ timestamp }) => timestamp === anchor.at);
    const heightAt = (price: number) => {
      const coordinate = chart.convertToPixel({ timestamp: anchor.at, value: price }, pane);
      return isCoordinate(coordinate) ? coordinate.y : Number.POSITIVE_INFINITY;
    };
    if (!bar) return anchor;
    const here = heightAt(anchor.price);
    const [nearest] = [bar.open, bar.high, bar.low, bar.close]
      .map((price) => ({ price, away: Math.abs(heightAt(price) - here) }))
      .sort((one, other) => one.away - other.away);
    return nearest && nearest.away <= magnetPx ? { ...anchor, price: nearest.price } : anchor;
  };

  /** For a moved drawing: an anchor that is still in its bar keeps its time. */
  const preserveTimes = (before: readonly Anchor[], after: readonly Anchor[]): readonly Anchor[] =>
    after.map((anchor, index) => {
      const was = before[index];
      return was && barOf(was.at) === barOf(anchor.at) ? { ...anchor, at: was.at } : anchor;
    });

  function moved({ overlay }: OverlayEvent<unknown>): void {
    const before = onCanvas.get(overlay.id);
    const points = toAnchors(overlay.points);
    if (!before || !points) return;
    // A stroke is not aligned to bars and moves as it is.
    const anchors = before.tool === 'brush' ? points : preserveTimes(before.anchors, points);
    const isSame = anchors.every(
      ({ at, price }, index) => at === before.anchors[index]?.at && price === before.anchors[index]?.price,
    );
    if (!isSame) events.onMoved({ ...before, anchors });
  }

  const getDrawingStyle = (id: string): DrawingStyle => {
    const { ink, text = '' } = onCanvas.get(id) ?? {};
    return {
      colours,
      priceDecimals,
      isSelected: id === shown.selected,
      ink: ink ? colours[ink] : null,
      text,
    };
  };

  function overlayOf(id: string, tool: DrawingTool): OverlayCreate {
    return {
      id,
      name: getTemplateName(tool),
      ...pane,
      lock: shown.locked,
      visible: !shown.hidden,
      mode: shown.magnet ? 'weak_magnet' : 'normal',
      modeSensitivity: magnetPx,
      extendData: getDrawingStyle(id),
      styles: {
        point: {
          color: colours.surface,
          borderColor: colours.accent,
          borderSize: 1.5,
          radius: 4,
          activeColor: colours.accent,
          activeBorderColor: colours.surface,
          activeBorderSize: 1.5,
          activeRadius: 5,
        },
      },
      onPressedMoveEnd: moved,
      onClick: () => events.onSelect(id),
      onSelected: () => events.onSelect(id),
      onDeselected: () => {
        if (shown.selected === id) events.onSelect(null);
      },
      // Without this handler klinecharts deletes a drawing on right click.
      onRightClick: (event) => {
        event.preventDefault?.();
        events.onSelect(id);
      },
    };
  }

  const pointsOf = ({ anchors }: Pick<Drawing, 'anchors'>) =>
    anchors.map(({ at, price }) => ({ timestamp: at, value: price }));

  function show(next: ShownDrawings): void {
    shown = next;
    const drawingsById = new Map(next.drawings.map((drawing) => [drawing.id, drawing]));
    for (const id of onCanvas.keys()) {
      if (drawingsById.has(id)) continue;
      onCanvas.delete(id);
      chart.removeOverlay({ id });
    }
    for (const drawing of next.drawings) {
      const { id, tool } = drawing;
      const present = onCanvas.get(id);
      onCanvas.set(id, drawing);
      if (!present) chart.createOverlay({ ...overlayOf(id, tool), points: pointsOf(drawing) });
      else {
        chart.overrideOverlay({
          id,
          ...(present !== drawing && { points: pointsOf(drawing) }),
          lock: next.locked,
          visible: !next.hidden,
          mode: next.magnet ? 'weak_magnet' : 'normal',
          extendData: getDrawingStyle(id),
        });
      }
    }
  }

  function endPreview(): void {
    if (previewed !== null) chart.removeOverlay({ id: previewed });
    previewed = null;
  }

  function preview(tool: DrawingTool, anchors: readonly Anchor[]): void {
    const points = pointsOf({ anchors });
    if (previewed !== null) {
      chart.overrideOverlay({ id: previewed, points });
      return;
    }
    previewed = newClientId();
    chart.createOverlay({ ...overlayOf(previewed, tool), lock: true, visible: true, points });
  }

  function begin(tool: DrawingTool | null): void {
    removeInputLayer?.();
    removeInputLayer = null;
    endPreview();
    if (tool === null) return;
    removeInputLayer = createInputLayer(container, tool, {
      anchorAt: (x, y) => {
        const anchor = tool === 'brush' ? exactAt(x, y) : anchorAt(x, y);
        return anchor && shown.magnet && tool !== 'brush' ? snapToBar(anchor) : anchor;
      },
      onPreview: (anchors) => preview(tool, anchors),
      onDone: (anchors) => {
        endPreview();
        events.onDrawn(newDrawing(newClientId(), tool, anchors));
      },
    });
  }

  function createCentred(tool: DrawingTool): Drawing | null {
    const size = chart.getSize(pane.paneId, 'main');
    if (!size || chart.getDataList().length === 0) return null;
    const at = (across: number, down: number) => anchorAt(size.width * across, size.height * down);
    const corners = anchorCounts[tool] === 1 ? [at(0.5, 0.5)] : [at(0.35, 0.6), at(0.65, 0.4)];
    const anchors = corners.filter((corner) => corner !== null);
    return anchors.length === corners.length ? newDrawing(newClientId(), tool, anchors) : null;
  }

  function nudge(drawing: Drawing, bars: number, steps: number): Drawing {
    const size = chart.getSize(pane.paneId, 'main');
    if (!size) return drawing;
    const across = bars * chart.getBarSpace().bar;
    const [top, below] = [anchorAt(0, 0), anchorAt(0, size.height / stepsOfHeight)];
    const rise = top && below ? (top.price - below.price) * steps : 0;
    const anchors = drawing.anchors.map((anchor) => {
      const x = barOf(anchor.at);
      const at = bars === 0 || x === undefined ? anchor.at : (anchorAt(x + across, 0)?.at ?? anchor.at);
      return { at, price: anchor.price + rise };
    });
    return { ...drawing, anchors };
  }

  return {
    show,
    begin,
    createCentred,
    nudge,
    setEvents(next) {
      events = next;
    },
    redraw(nextColours, decimals) {
      colours = nextColours;
      priceDecimals = decimals;
      for (const [id, { tool }] of onCanvas) {
        const { styles } = overlayOf(id, tool);
        chart.overrideOverlay({ id, extendData: getDrawingStyle(id), ...(styles && { styles }) });
      }
    },
  };
}
