/**
 * Lines over the candles and what a person does with them: puts the state of `held-line.ts` on the canvas and into pills, and
 * turns pointer and keys into its transitions. Invariants: nothing here renders React; a line that is held moves only with
 * the hand; after `dispose()` no listener, element or pending answer touches the chart.
 * Known limitation: a line is taken by its pill, not by the line itself, so that the candles beneath stay draggable.
 */
import type { Chart, YAxis } from 'klinecharts';
import { log } from '../../../../shared/log/log.ts';
import { announce } from '../../../../shared/ui/index.ts';
import type { ChartColours } from '../chart-theme.ts';
import {
  answered,
  drop,
  grab,
  leave,
  linesCame,
  moveTo,
  noLines,
  putBack,
  type ShownLine,
  settled,
  shownLines,
  stay,
} from './held-line.ts';
import { type LinesOverlay, type LinesScene, type PlacedLine, priceLines } from './line-figures.ts';
import { mergedLines } from './merged-lines.ts';
import { createPill, type Pill, type PillActions } from './pill.ts';
import { type PillPlace, placePills } from './pill-places.ts';
import type { Dismissal, LineKind, MovableLine, PriceLine, Refusal } from './price-line.ts';

export interface PriceLinesLayer {
  readonly setLines: (lines: readonly PriceLine[]) => void;
  /** Draws them anew, after a change of theme. */
  readonly redraw: () => void;
  /** Lets go of everything, before another pair is shown. */
  readonly release: () => void;
  /** Prices that have a tag on the axis. */
  readonly tagged: () => readonly number[];
  /** Where the lines of the pair are; one that is held counts where it was, so that the axis keeps still under the pointer. */
  readonly levels: () => readonly number[];
  readonly dispose: () => void;
}

interface LayerOptions {
  /** Where the pills go: an element over the chart, from its upper left corner; null for bare lines. */
  readonly layer: HTMLElement | null;
  readonly colours: () => ChartColours;
}

const gapToAxis = 10;
const gapBetweenColumns = 8;
/** More pills would hide the candles; the lines and their axis tags stay. */
const mostPills = 12;
/** A narrower chart has room for a pill's first figure alone, and for one column of pills. */
const narrowPx = 480;
const pillStep = { fine: 24, coarse: 44 } as const;
const pillMargin = 11;
/** A press that moves less is no drag. */
const dragThresholdPx = 3;
const ticksWithShift = 10;
/** How long a line that the server took stands where it was dropped without the row that says so. */
const settleMs = 1_000;

const hint = 'Arrow keys move it by one tick, with Shift by ten. Enter sets it, Escape puts it back.';
let layers = 0;

function tell(refusal: Refusal): void {
  if (refusal !== null) announce('error', refusal);
}

/** Whose pill is shown where there is not room for all. */
const ranks = { entry: 0, takeProfit: 1, stopLoss: 2, order: 3, liquidation: 4 } as const satisfies Record<
  LineKind,
  number
>;

export function createPriceLines(chart: Chart, { layer, colours }: LayerOptions): PriceLinesLayer {
  let state = noLines;
  let disposed = false;
  let isDrawn = false;
  let axis: Pick<YAxis, 'convertFromPixel'> | null = null;
  let paneHeight = 0;
  const pills = new Map<string, Pill>();
  /** Where each line was drawn last, px from the pane's top. */
  let levels = new Map<string, number>();
  const ends = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const coarse = matchMedia('(pointer: coarse)');

  const hintElement = document.createElement('p');
  hintElement.id = `price-lines-hint-${++layers}`;
  hintElement.hidden = true;
  hintElement.textContent = hint;
  const spoken = document.createElement('p');
  spoken.className = 'sr-only';
  spoken.setAttribute('aria-live', 'polite');
  layer?.append(hintElement, spoken);

  const say = (text: string) => {
    spoken.textContent = text;
  };
  const later = (act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, settleMs);
    timers.add(timer);
  };

  function removePill(id: string, pill: Pill): void {
    const hadFocus = pill.element.contains(document.activeElement);
    pill.element.remove();
    pills.delete(id);
    // A line that goes must not take the keyboard's place on the page with it.
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

  /** Pills that have to be seen wherever their line is. */
  const isPinned = ({ shown }: PlacedLine): boolean =>
    shown.look === 'held' || pills.get(shown.line.id)?.element.contains(document.activeElement) === true;

  function placeInColumns(placed: readonly PlacedLine[], width: number): void {
    const isNarrow = width < narrowPx;
    const lowest = paneHeight - pillMargin;
    const inPane = (y: number) => Math.max(pillMargin, Math.min(y, lowest));
    const wanted = placed
      .filter((one) => isPinned(one) || (one.y >= 0 && one.y <= paneHeight))
      .sort(
        (a, b) =>
          Number(isPinned(b)) - Number(isPinned(a)) || ranks[a.shown.line.kind] - ranks[b.shown.line.kind],
      )
      .slice(0, mostPills);
    for (const one of wanted) pillOf(one.shown).show(one.shown, { isNarrow });
    // A held pill stays with its line, whatever is there.
    const free = wanted.filter(({ shown }) => shown.look !== 'held');
    const places = placePills(
      free.map(({ y }) => inPane(y)),
      { step: coarse.matches ? pillStep.coarse : pillStep.fine, bottom: lowest, columns: isNarrow ? 1 : 2 },
    );
    const placeOf = new Map<string, PillPlace>();
    for (const [index, { shown }] of free.entries()) {
      const place = places[index];
      if (place) placeOf.set(shown.line.id, place);
    }
    for (const { shown, y } of wanted) {
      if (shown.look === 'held') placeOf.set(shown.line.id, { y: inPane(y), column: 0 });
    }
    const right = width - gapToAxis;
    const inFirst = [...placeOf].filter(([, { column }]) => column === 0);
    const isBeside = inFirst.length < placeOf.size;
    const widest = isBeside ? Math.max(...inFirst.map(([id]) => pills.get(id)?.element.offsetWidth ?? 0)) : 0;
    for (const [id, pill] of pills) {
      const place = placeOf.get(id);
      const shift = place?.column === 1 ? widest + gapBetweenColumns : 0;
      pill.place(place ? { right: right - shift, middle: place.y } : null);
    }
  }

  const scene: LinesScene = {
    shown: () => shownLines(state),
    colours,
    isBare: layer === null,
    placed: (placed, { width, height }, drawnAxis) => {
      axis = drawnAxis;
      paneHeight = height;
      levels = new Map(placed.map(({ shown, y }) => [shown.line.id, y]));
      if (!layer) return;
      for (const [id, pill] of pills) if (!levels.has(id)) removePill(id, pill);
      placeInColumns(placed, width);
    },
  };

  function redraw(): void {
    if (disposed) return;
    const isWanted = shownLines(state).length > 0;
    if (!isWanted) {
      if (isDrawn) chart.removeOverlay({ name: priceLines });
      isDrawn = false;
      for (const [id, pill] of pills) removePill(id, pill);
      return;
    }
    // Another function each time: it is how the library sees that there is something to draw.
    const extendData: LinesOverlay = () => scene;
    if (isDrawn) {
      chart.overrideOverlay({ name: priceLines, extendData });
      return;
    }
    isDrawn = true;
    // The library draws no overlay without a point; where the lines are the scene says.
    chart.createOverlay({ name: priceLines, lock: true, points: [{ value: 0 }], extendData });
  }

  async function send(line: MovableLine, price: number): Promise<void> {
    const refusal = await line.movement.send(price);
    tell(refusal);
    if (disposed) return;
    state = answered(state, line.id, refusal);
    redraw();
    later(() => {
      state = settled(state, line.id);
      redraw();
    });
  }

  function letGo(): void {
    const { state: next, dropped } = drop(state);
    state = next;
    if (dropped.kind === 'refused') announce('error', dropped.text);
    if (dropped.kind === 'sent') {
      send(dropped.line, dropped.place.price).catch((cause: unknown) =>
        log.error('Moving a line broke', cause),
      );
    }
    redraw();
  }
  function giveBack(): void {
    const line = state.held?.line;
    state = putBack(state);
    redraw();
    if (line) say(line.name);
  }

  function hold(
    line: MovableLine,
    by: 'pointer' | 'keyboard',
    origin: { readonly isDraft: boolean },
  ): boolean {
    state = grab(state, line, by, origin);
    if (state.held?.line.id !== line.id) return false;
    redraw();
    // The drawing comes with the next frame, and with it the pill's place; the keys are to find it now.
    const shown = shownLines(state).find(({ line: { id } }) => id === line.id);
    if (shown && layer) pillOf(shown).focus();
    return true;
  }
  function tellPlace(): void {
    const place = state.held?.place;
    if (place) say(place.fault ? `${place.name}. ${place.fault}` : place.name);
  }

  function dismiss(id: string, dismissal: Dismissal): void {
    if (dismissal.kind === 'question') {
      dismissal.ask();
      return;
    }
    const before = state;
    state = leave(state, id);
    if (state === before) return;
    redraw();
    const removal = dismissal.send().then((refusal) => {
      tell(refusal);
      if (disposed) return;
      const back = () => {
        state = stay(state, id);
        redraw();
      };
      if (refusal === null) later(back);
      else back();
    });
    removal.catch((cause: unknown) => log.error('Taking a line away broke', cause));
  }

  /** One press, from the finger's touch to its end. */
  function press(event: PointerEvent, line: MovableLine, origin: { readonly isDraft: boolean }): void {
    const isOther = state.held !== null && state.held.line.id !== line.id;
    if (event.button !== 0 || !event.isPrimary || isOther) return;
    const { pointerId, clientY: startY } = event;
    const top = layer?.getBoundingClientRect().top ?? 0;
    // The line moves by as much as the hand does: a pill that stepped aside does not jump.
    const from = origin.isDraft ? startY - top : (levels.get(line.id) ?? startY - top);
    let isDragging = false;
    let y = from;
    let frame = 0;
    const over = new AbortController();
    const end = () => {
      over.abort();
      cancelAnimationFrame(frame);
      if (layer?.hasPointerCapture(pointerId)) layer.releasePointerCapture(pointerId);
      if (layer) layer.style.cursor = '';
    };
    const follow = () => {
      // A frame may still be due when the chart goes.
      if (disposed) return;
      const price = axis?.convertFromPixel(Math.max(0, Math.min(y, paneHeight)));
      if (price === undefined) return;
      state = moveTo(state, price);
      redraw();
    };
    const own = (act: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === pointerId) act(event);
    };
    const listen = { signal: AbortSignal.any([over.signal, ends.signal]) };
    window.addEventListener(
      'pointermove',
      own(({ clientY }) => {
        if (!isDragging && Math.abs(clientY - startY) < dragThresholdPx) return;
        if (!isDragging) {
          if (!hold(line, 'pointer', origin)) return end();
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
    const release = (act: () => void) =>
      own(() => {
        end();
        if (!isDragging || state.held?.line.id !== line.id) return;
        act();
      });
    window.addEventListener(
      'pointerup',
      release(() => {
        follow();
        letGo();
      }),
      listen,
    );
    window.addEventListener('pointercancel', release(giveBack), listen);
  }

  function key(event: KeyboardEvent, line: MovableLine): void {
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (state.held?.by === 'pointer') return;
    if (!state.held && !hold(line, 'keyboard', { isDraft: false })) return;
    const { held } = state;
    if (!held) return;
    state = moveTo(state, line.movement.step(held.place.price, way * (event.shiftKey ? ticksWithShift : 1)));
    redraw();
    tellPlace();
  }

  const actions: PillActions = {
    press,
    key,
    dismiss,
    hold: (line, origin) => {
      if (state.held?.line.id === line.id) return letGo();
      if (hold(line, 'keyboard', origin)) tellPlace();
    },
    // What was moved by keys and left without Enter was not meant.
    blur: (line) => {
      if (state.held?.by === 'keyboard' && state.held.line.id === line.id) giveBack();
    },
  };

  // Before anything else hears it: Escape is for the line, not for the window that the chart may stand in.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !state.held) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      giveBack();
    },
    { capture: true, signal: ends.signal },
  );

  return {
    setLines(lines) {
      state = linesCame(state, mergedLines(lines));
      redraw();
      // The axis opens for them now: a shut market has no next tick to do it with.
      chart.resize();
    },
    redraw,
    release() {
      state = noLines;
      redraw();
    },
    levels: () => state.source.map(({ price }) => price),
    tagged: () => (layer ? shownLines(state).map(({ price }) => price) : []),
    dispose() {
      disposed = true;
      ends.abort();
      for (const timer of timers) clearTimeout(timer);
      for (const { element } of pills.values()) element.remove();
      hintElement.remove();
      spoken.remove();
    },
  };
}
