/**
 * The interactive lines over the candles. It draws the state of `dragged-line.ts` on the canvas and in pills, and
 * turns pointer and keyboard input into its transitions.
 *
 * Invariants: it renders nothing in React. Only user input moves a dragged line. After `dispose()` no listener,
 * element or pending answer touches the chart.
 *
 * Known limitation: a line is dragged by its pill, not by the line itself, so that the candles beneath stay
 * draggable.
 */
import type { Chart, YAxis } from 'klinecharts';
import { log } from '../../../../shared/log/log.ts';
import { showToast } from '../../../../shared/ui/index.ts';
import type { ChartColours } from '../chart-theme.ts';
import {
  cancelDrag,
  cancelRemoval,
  dragTo,
  dropLine,
  getShownLines,
  noLines,
  type ShownLine,
  startDrag,
  startRemoval,
  withAnswer,
  withoutAccepted,
  withSource,
} from './dragged-line.ts';
import { type LinesOverlay, type LinesScene, type PlacedLine, priceLines } from './line-figures.ts';
import { mergeLines } from './merged-lines.ts';
import { createPill, type Pill, type PillActions } from './pill.ts';
import { layOutPills, type PillPosition } from './pill-layout.ts';
import type { CommandError, Dismissal, LineKind, MovableLine, PriceLine } from './price-line.ts';

export interface PriceLinesLayer {
  readonly setLines: (lines: readonly PriceLine[]) => void;
  /** Draws the lines again after a change of theme. */
  readonly redraw: () => void;
  /** Ends a drag and clears all lines, before another pair is shown. */
  readonly release: () => void;
  /** Prices that have a tag on the axis. */
  readonly tagged: () => readonly number[];
  /**
   * The prices of the pair's lines. A dragged line counts at its starting price, so that the axis does not move under
   * the pointer.
   */
  readonly levels: () => readonly number[];
  readonly dispose: () => void;
}

interface LayerOptions {
  /**
   * The container of the pills, an element over the chart aligned to its upper left corner; null for lines without
   * pills.
   */
  readonly layer: HTMLElement | null;
  readonly colours: () => ChartColours;
}

const gapToAxis = 10;
const gapBetweenColumns = 8;
/** More pills would hide the candles; their lines and axis tags are still shown. */
const pillsMax = 12;
/** A narrower chart fits only a pill's first figure, and one column of pills. */
const narrowPx = 480;
const pillStep = { fine: 24, coarse: 44 } as const;
const pillMargin = 11;
/** A press that moves less is not a drag. */
const dragThresholdPx = 3;
const ticksWithShift = 10;
/** How long an accepted line stays where it was dropped while its updated row has not arrived. */
const settleMs = 1_000;

const hint = 'Arrow keys move it by one tick, with Shift by ten. Enter sets it, Escape puts it back.';
let layers = 0;

function announceError(refusal: CommandError): void {
  if (refusal !== null) showToast('error', refusal);
}

/** Priority of the pills where not all of them fit. */
const ranks = {
  entry: 0,
  takeProfit: 1,
  stopLoss: 2,
  order: 3,
  liquidation: 4,
  alert: 5,
} as const satisfies Record<LineKind, number>;

export function createPriceLines(chart: Chart, { layer, colours }: LayerOptions): PriceLinesLayer {
  let state = noLines;
  let disposed = false;
  let isDrawn = false;
  let axis: Pick<YAxis, 'convertFromPixel'> | null = null;
  let paneHeight = 0;
  const pills = new Map<string, Pill>();
  /** Where each line was drawn last, px from the pane's top. */
  let levels = new Map<string, number>();
  const disposal = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const coarse = matchMedia('(pointer: coarse)');

  const hintElement = document.createElement('p');
  hintElement.id = `price-lines-hint-${++layers}`;
  hintElement.hidden = true;
  hintElement.textContent = hint;
  const liveRegion = document.createElement('p');
  liveRegion.className = 'sr-only';
  liveRegion.setAttribute('aria-live', 'polite');
  layer?.append(hintElement, liveRegion);

  const announcePolitely = (text: string) => {
    liveRegion.textContent = text;
  };
  const runAfterSettle = (callback: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      callback();
    }, settleMs);
    timers.add(timer);
  };

  function removePill(id: string, pill: Pill): void {
    const hadFocus = pill.element.contains(document.activeElement);
    pill.element.remove();
    pills.delete(id);
    // Removing a pill that has the focus moves the focus to another one.
    if (hadFocus) [...pills.values()].find(({ element }) => element.querySelector('button'))?.focus();
  }

  function pillOf(shown: ShownLine): Pill {
    const { id } = shown.line;
    const known = pills.get(id);
    if (known) return known;
    const pill = createPill(shown, actions, hintElement.id);
    pills.set(id, pill);
    layer?.append(pill.element);
    return pill;
  }

  /** Pills that are shown wherever their line is. */
  const isPinned = ({ shown }: PlacedLine): boolean =>
    shown.status === 'dragged' || pills.get(shown.line.id)?.element.contains(document.activeElement) === true;

  function layOutInColumns(placed: readonly PlacedLine[], width: number): void {
    const isNarrow = width < narrowPx;
    const lowest = paneHeight - pillMargin;
    const inPane = (y: number) => Math.max(pillMargin, Math.min(y, lowest));
    const visibleLines = placed
      .filter((one) => isPinned(one) || (one.y >= 0 && one.y <= paneHeight))
      .sort(
        (a, b) =>
          Number(isPinned(b)) - Number(isPinned(a)) || ranks[a.shown.line.kind] - ranks[b.shown.line.kind],
      )
      .slice(0, pillsMax);
    for (const one of visibleLines) pillOf(one.shown).show(one.shown, { isNarrow });
    // A dragged pill stays at its line, whatever else is there.
    const free = visibleLines.filter(({ shown }) => shown.status !== 'dragged');
    const positions = layOutPills(
      free.map(({ y }) => inPane(y)),
      { step: coarse.matches ? pillStep.coarse : pillStep.fine, bottom: lowest, columns: isNarrow ? 1 : 2 },
    );
    const positionById = new Map<string, PillPosition>();
    for (const [index, { shown }] of free.entries()) {
      const position = positions[index];
      if (position) positionById.set(shown.line.id, position);
    }
    for (const { shown, y } of visibleLines) {
      if (shown.status === 'dragged') positionById.set(shown.line.id, { y: inPane(y), column: 0 });
    }
    const right = width - gapToAxis;
    const inFirst = [...positionById].filter(([, { column }]) => column === 0);
    const isBeside = inFirst.length < positionById.size;
    const widest = isBeside ? Math.max(...inFirst.map(([id]) => pills.get(id)?.element.offsetWidth ?? 0)) : 0;
    for (const [id, pill] of pills) {
      const position = positionById.get(id);
      const shift = position?.column === 1 ? widest + gapBetweenColumns : 0;
      pill.moveTo(position ? { right: right - shift, middle: position.y } : null);
    }
  }

  const scene: LinesScene = {
    shown: () => getShownLines(state),
    colours,
    isBare: layer === null,
    placed: (placed, { width, height }, drawnAxis) => {
      axis = drawnAxis;
      paneHeight = height;
      levels = new Map(placed.map(({ shown, y }) => [shown.line.id, y]));
      if (!layer) return;
      for (const [id, pill] of pills) if (!levels.has(id)) removePill(id, pill);
      layOutInColumns(placed, width);
    },
  };

  function redraw(): void {
    if (disposed) return;
    const hasLines = getShownLines(state).length > 0;
    if (!hasLines) {
      if (isDrawn) chart.removeOverlay({ name: priceLines });
      isDrawn = false;
      for (const [id, pill] of pills) removePill(id, pill);
      return;
    }
    // A new function each time: a changed reference makes the library redraw.
    const extendData: LinesOverlay = () => scene;
    if (isDrawn) {
      chart.overrideOverlay({ name: priceLines, extendData });
      return;
    }
    isDrawn = true;
    // The library draws no overlay without a point; the scene holds the real positions.
    chart.createOverlay({ name: priceLines, lock: true, points: [{ value: 0 }], extendData });
  }

  async function send(line: MovableLine, price: number): Promise<void> {
    const refusal = await line.movement.send(price);
    announceError(refusal);
    if (disposed) return;
    state = withAnswer(state, line.id, refusal);
    redraw();
    runAfterSettle(() => {
      state = withoutAccepted(state, line.id);
      redraw();
    });
  }

  function dropDragged(): void {
    const { state: next, dropped } = dropLine(state);
    state = next;
    if (dropped.kind === 'refused') showToast('error', dropped.text);
    if (dropped.kind === 'sent') {
      send(dropped.line, dropped.target.price).catch((cause: unknown) =>
        log.error('Moving a line failed', cause),
      );
    }
    redraw();
  }
  function returnDragged(): void {
    const line = state.dragged?.line;
    state = cancelDrag(state);
    redraw();
    if (line) announcePolitely(line.name);
  }

  function beginDrag(
    line: MovableLine,
    by: 'pointer' | 'keyboard',
    origin: { readonly isDraft: boolean },
  ): boolean {
    state = startDrag(state, line, by, origin);
    if (state.dragged?.line.id !== line.id) return false;
    redraw();
    // The next frame draws the pill; the keyboard needs its position now.
    const shown = getShownLines(state).find(({ line: { id } }) => id === line.id);
    if (shown && layer) pillOf(shown).focus();
    return true;
  }
  function announceTarget(): void {
    const position = state.dragged?.target;
    if (position) announcePolitely(position.fault ? `${position.name}. ${position.fault}` : position.name);
  }

  function dismiss(id: string, dismissal: Dismissal): void {
    if (dismissal.kind === 'question') {
      dismissal.ask();
      return;
    }
    const before = state;
    state = startRemoval(state, id);
    if (state === before) return;
    redraw();
    const removal = dismissal.send().then((refusal) => {
      announceError(refusal);
      if (disposed) return;
      const back = () => {
        state = cancelRemoval(state, id);
        redraw();
      };
      if (refusal === null) runAfterSettle(back);
      else back();
    });
    removal.catch((cause: unknown) => log.error('Removing a line failed', cause));
  }

  /** Handles one press, from pointer down to its end. */
  function press(event: PointerEvent, line: MovableLine, origin: { readonly isDraft: boolean }): void {
    const isOther = state.dragged !== null && state.dragged.line.id !== line.id;
    if (event.button !== 0 || !event.isPrimary || isOther) return;
    const { pointerId, clientY: startY } = event;
    const top = layer?.getBoundingClientRect().top ?? 0;
    // The line moves by the pointer's distance, so a pill that was moved aside does not jump.
    const from = origin.isDraft ? startY - top : (levels.get(line.id) ?? startY - top);
    let isDragging = false;
    let y = from;
    let frame = 0;
    const pressEnd = new AbortController();
    const end = () => {
      pressEnd.abort();
      cancelAnimationFrame(frame);
      if (layer?.hasPointerCapture(pointerId)) layer.releasePointerCapture(pointerId);
      if (layer) layer.style.cursor = '';
    };
    const follow = () => {
      // A frame may still be pending when the chart is disposed.
      if (disposed) return;
      const price = axis?.convertFromPixel(Math.max(0, Math.min(y, paneHeight)));
      if (price === undefined) return;
      state = dragTo(state, price);
      redraw();
    };
    const forPointer = (callback: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === pointerId) callback(event);
    };
    const listen = { signal: AbortSignal.any([pressEnd.signal, disposal.signal]) };
    window.addEventListener(
      'pointermove',
      forPointer(({ clientY }) => {
        if (!isDragging && Math.abs(clientY - startY) < dragThresholdPx) return;
        if (!isDragging) {
          if (!beginDrag(line, 'pointer', origin)) return end();
          isDragging = true;
          layer?.setPointerCapture(pointerId);
          if (layer) layer.style.cursor = 'ns-resize';
        }
        y = from + clientY - startY;
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(follow);
      }),
      listen,
    );
    const release = (callback: () => void) =>
      forPointer(() => {
        end();
        if (!isDragging || state.dragged?.line.id !== line.id) return;
        callback();
      });
    window.addEventListener(
      'pointerup',
      release(() => {
        follow();
        dropDragged();
      }),
      listen,
    );
    window.addEventListener('pointercancel', release(returnDragged), listen);
  }

  function key(event: KeyboardEvent, line: MovableLine): void {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (state.dragged?.by === 'pointer') return;
    if (!state.dragged && !beginDrag(line, 'keyboard', { isDraft: false })) return;
    const { dragged } = state;
    if (!dragged) return;
    state = dragTo(
      state,
      line.movement.step(dragged.target.price, direction * (event.shiftKey ? ticksWithShift : 1)),
    );
    redraw();
    announceTarget();
  }

  const actions: PillActions = {
    press,
    key,
    dismiss,
    toggleDrag: (line, origin) => {
      if (state.dragged?.line.id === line.id) return dropDragged();
      if (beginDrag(line, 'keyboard', origin)) announceTarget();
    },
    // A keyboard move that was left without Enter is cancelled.
    blur: (line) => {
      if (state.dragged?.by === 'keyboard' && state.dragged.line.id === line.id) returnDragged();
    },
  };

  // Registered in the capture phase: Escape cancels the drag and does not close a dialog around the chart.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !state.dragged) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      returnDragged();
    },
    { capture: true, signal: disposal.signal },
  );

  return {
    setLines(lines) {
      state = withSource(state, mergeLines(lines));
      redraw();
      // Opens the axis for the lines now: a closed market has no next tick that would do it.
      chart.resize();
    },
    redraw,
    release() {
      state = noLines;
      redraw();
    },
    levels: () => state.source.map(({ price }) => price),
    tagged: () => (layer ? getShownLines(state).map(({ price }) => price) : []),
    dispose() {
      disposed = true;
      disposal.abort();
      for (const timer of timers) clearTimeout(timer);
      for (const { element } of pills.values()) element.remove();
      hintElement.remove();
      liveRegion.remove();
    },
  };
}
