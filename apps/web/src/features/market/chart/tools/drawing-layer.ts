/**
 * The drawings of a chart on its canvas: shown as the settings have them, made with the pointer or by keyboard, taken hold
 * of, moved. What changes is told to `events`; the layer itself keeps nothing. Invariant: an anchor that was not moved
 * keeps its time to the millisecond, although the canvas knows bars only.
 */
import type { Chart, Coordinate, OverlayCreate, OverlayEvent, Point } from 'klinecharts';
import { newClientId } from '../../../../shared/ids/index.ts';
import type { ChartColours } from '../chart-theme.ts';
import type { DrawingRules } from '../settings/chart-settings.ts';
import { type Anchor, anchorCounts, type Drawing, type DrawingTool, thinned } from './drawing.ts';
import { type DrawingLook, templateOf } from './drawing-templates.ts';

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
  /** Makes the canvas show exactly these. */
  readonly show: (shown: ShownDrawings) => void;
  /** The next clicks on the chart draw with the tool; null ends what is in progress. */
  readonly begin: (tool: DrawingTool | null) => void;
  /** A drawing in the middle of what is in sight, for those without a pointer; null while there are no bars. */
  readonly placed: (tool: DrawingTool) => Drawing | null;
  /** The drawing moved by bars and by steps of a hundredth of the height. */
  readonly nudged: (drawing: Drawing, bars: number, steps: number) => Drawing;
  readonly setEvents: (events: DrawingEvents) => void;
  /** After a change of colours or of the pair's decimals. */
  readonly redraw: (colours: ChartColours, priceDecimals: number) => void;
}

const pane = { paneId: 'candle_pane' } as const;
const stepsOfHeight = 100;

const silent: DrawingEvents = { onDrawn: () => {}, onMoved: () => {}, onSelect: () => {} };
const nothing: ShownDrawings = { drawings: [], selected: null, magnet: false, locked: false, hidden: false };

/** The anchors of points that all have time and price, else null. */
function anchorsOf(points: readonly Partial<Point>[]): readonly Anchor[] | null {
  const anchors = points.flatMap(({ timestamp, value }) =>
    timestamp === undefined || value === undefined ? [] : [{ at: timestamp, price: value }],
  );
  return anchors.length === points.length && anchors.length > 0 ? anchors : null;
}

export function createDrawingLayer(chart: Chart, firstColours: ChartColours): DrawingLayer {
  let colours = firstColours;
  let priceDecimals = 2;
  let shown = nothing;
  let events = silent;
  let inProgress: string | null = null;
  const onCanvas = new Map<string, Drawing>();

  const isCoordinate = (at: Partial<Coordinate> | Partial<Coordinate>[] | undefined): at is Coordinate =>
    at !== undefined && !Array.isArray(at) && at.x !== undefined && at.y !== undefined;
  const barOf = (at: number): number | undefined => {
    const place = chart.convertToPixel({ timestamp: at, value: 0 }, pane);
    return isCoordinate(place) ? place.x : undefined;
  };
  const anchorAt = (x: number, y: number): Anchor | null => {
    const point = chart.convertFromPixel([{ x, y }], pane);
    return anchorsOf([Array.isArray(point) ? (point[0] ?? {}) : point])?.[0] ?? null;
  };

  /** Of a drawing that was moved: an anchor that is in the bar it was in keeps its time. */
  const keptTimes = (before: readonly Anchor[], after: readonly Anchor[]): readonly Anchor[] =>
    after.map((anchor, place) => {
      const was = before[place];
      return was && barOf(was.at) === barOf(anchor.at) ? { ...anchor, at: was.at } : anchor;
    });

  function drawn({ overlay }: OverlayEvent<unknown>, tool: DrawingTool): void {
    inProgress = null;
    const anchors = anchorsOf(overlay.points);
    const due = anchorCounts[tool];
    // A stroke that is a mere click is none.
    const isWhole = anchors !== null && (due === null ? anchors.length > 1 : anchors.length >= due);
    if (!isWhole) {
      // The tool stays in hand. klinecharts is still busy with this very overlay.
      queueMicrotask(() => {
        chart.removeOverlay({ id: overlay.id });
        begin(tool);
      });
      return;
    }
    const drawing = { id: overlay.id, tool, anchors: thinned(anchors.slice(0, due ?? anchors.length)) };
    onCanvas.set(overlay.id, drawing);
    events.onDrawn(drawing);
  }

  function moved({ overlay }: OverlayEvent<unknown>): void {
    const before = onCanvas.get(overlay.id);
    const points = anchorsOf(overlay.points);
    if (!before || !points) return;
    // A stroke is not tied to bars; it moves as it is.
    const anchors = before.tool === 'brush' ? points : keptTimes(before.anchors, points);
    const isSame = anchors.every(
      ({ at, price }, place) => at === before.anchors[place]?.at && price === before.anchors[place]?.price,
    );
    if (!isSame) events.onMoved({ ...before, anchors });
  }

  const lookOf = (id: string): DrawingLook => ({ colours, priceDecimals, isSelected: id === shown.selected });

  function overlayOf(id: string, tool: DrawingTool): OverlayCreate {
    return {
      id,
      name: templateOf(tool),
      ...pane,
      lock: shown.locked,
      visible: !shown.hidden,
      mode: shown.magnet ? 'weak_magnet' : 'normal',
      extendData: lookOf(id),
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
      onDrawEnd: (event) => drawn(event, tool),
      onPressedMoveEnd: moved,
      onClick: () => events.onSelect(id),
      onSelected: () => events.onSelect(id),
      onDeselected: () => {
        if (shown.selected === id) events.onSelect(null);
      },
      // Without this klinecharts deletes on a right click.
      onRightClick: (event) => {
        event.preventDefault?.();
        events.onSelect(id);
      },
    };
  }

  const pointsOf = ({ anchors }: Drawing) =>
    anchors.map(({ at, price }) => ({ timestamp: at, value: price }));

  function show(next: ShownDrawings): void {
    shown = next;
    const wanted = new Map(next.drawings.map((drawing) => [drawing.id, drawing]));
    for (const id of onCanvas.keys()) {
      if (wanted.has(id)) continue;
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
          extendData: lookOf(id),
        });
      }
    }
  }

  function begin(tool: DrawingTool | null): void {
    if (inProgress !== null) chart.removeOverlay({ id: inProgress });
    inProgress = null;
    if (tool === null) return;
    const id = newClientId();
    inProgress = id;
    chart.createOverlay({ ...overlayOf(id, tool), lock: false, visible: true });
  }

  function placed(tool: DrawingTool): Drawing | null {
    const size = chart.getSize(pane.paneId, 'main');
    if (!size || chart.getDataList().length === 0) return null;
    const at = (across: number, down: number) => anchorAt(size.width * across, size.height * down);
    const corners = anchorCounts[tool] === 1 ? [at(0.5, 0.5)] : [at(0.35, 0.6), at(0.65, 0.4)];
    const anchors = corners.filter((corner) => corner !== null);
    return anchors.length === corners.length ? { id: newClientId(), tool, anchors } : null;
  }

  function nudged(drawing: Drawing, bars: number, steps: number): Drawing {
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
    placed,
    nudged,
    setEvents(next) {
      events = next;
    },
    redraw(nextColours, decimals) {
      colours = nextColours;
      priceDecimals = decimals;
      for (const [id, { tool }] of onCanvas) {
        const { styles } = overlayOf(id, tool);
        chart.overrideOverlay({ id, extendData: lookOf(id), ...(styles && { styles }) });
      }
    },
  };
}
