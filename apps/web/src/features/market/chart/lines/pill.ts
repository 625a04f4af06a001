/**
 * The pill of one line, an element over the canvas: its label, grip, handles and × button. It is written to directly,
 * because its figures change with every tick.
 *
 * Invariants: a text or an attribute is only written when it changes. The creator of a pill removes it, and removal
 * detaches all its listeners.
 */
import type { Direction } from '../../../../shared/numbers/index.ts';
import type { ShownLine } from './dragged-line.ts';
import {
  type Dismissal,
  isMovable,
  type LineHandle,
  type LineKind,
  type MovableLine,
  type PillPart,
} from './price-line.ts';

export interface PillActions {
  readonly press: (event: PointerEvent, line: MovableLine, origin: { readonly isDraft: boolean }) => void;
  /** For keys, or a click without a pointer. */
  readonly toggleDrag: (line: MovableLine, origin: { readonly isDraft: boolean }) => void;
  readonly key: (event: KeyboardEvent, line: MovableLine) => void;
  readonly blur: (line: MovableLine) => void;
  readonly dismiss: (id: string, dismissal: Dismissal) => void;
}

export interface Pill {
  readonly element: HTMLElement;
  readonly show: (shown: ShownLine, layout: { readonly isNarrow: boolean }) => void;
  /** Moves its right edge and its middle to the position; null hides it. */
  readonly moveTo: (at: { readonly right: number; readonly middle: number } | null) => void;
  readonly focus: () => void;
}

const pillHeight = 22;
const noHandles: readonly LineHandle[] = [];

const frames = {
  entry: 'border-accent',
  takeProfit: 'border-up text-up',
  stopLoss: 'border-down text-down',
  order: 'border-line-strong text-text',
  liquidation: 'border-warn text-warn',
  alert: 'border-series-1 text-text',
} as const satisfies Record<LineKind, string>;

const tones = {
  up: 'text-up',
  down: 'text-down',
  none: 'text-text-2',
} as const satisfies Record<Direction, string>;

/** 22 px visible, 24 px clickable, 44 px for touch. */
const reach =
  'relative before:absolute before:inset-x-0 before:-inset-y-0.5 before:content-[""] pointer-coarse:before:-inset-y-3';
const cell = 'flex h-full items-center px-[7px]';
const divided = 'border-l border-line-strong';
const button = `${reach} ${cell} pointer-events-auto focus-visible:z-1 focus-visible:outline-offset-1`;

const svg = 'http://www.w3.org/2000/svg';
function icon(size: { readonly width: number; readonly height: number }, path: string): SVGSVGElement {
  const element = document.createElementNS(svg, 'svg');
  for (const [name, value] of Object.entries({ ...size, 'aria-hidden': true, fill: 'none' })) {
    element.setAttribute(name, `${value}`);
  }
  element.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  const shape = document.createElementNS(svg, 'path');
  const attributes = { d: path, stroke: 'currentColor', 'stroke-width': 1.4, 'stroke-linecap': 'round' };
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, `${value}`);
  element.append(shape);
  return element;
}
/** Six dots: strokes of zero length with round caps. */
const gripIcon = () =>
  icon({ width: 7, height: 11 }, 'M1.5 1.5v0M1.5 5.5v0M1.5 9.5v0M5.5 1.5v0M5.5 5.5v0M5.5 9.5v0');
const crossIcon = () => icon({ width: 9, height: 9 }, 'M1.5 1.5l6 6M7.5 1.5l-6 6');

function make<Tag extends 'span' | 'div' | 'button'>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
function label(element: Element, name: string): void {
  if (element.getAttribute('aria-label') !== name) element.setAttribute('aria-label', name);
}

/**
 * Separates the visible text from the accessible name. The pill's text is too short for a name, and its figures are
 * in no reading order.
 */
function namedBy(name: string, ...seen: readonly HTMLElement[]) {
  for (const element of seen) element.setAttribute('aria-hidden', 'true');
  const nameElement = make('span', 'sr-only');
  nameElement.textContent = name;
  return { elements: [nameElement, ...seen], nameElement };
}

/** Creates as many cells for figures as there are parts. */
function writeParts(container: HTMLElement, parts: readonly PillPart[], isNarrow: boolean): void {
  const shown = parts
    .map(({ text, tone, narrowText }) => ({ text: isNarrow ? (narrowText ?? text) : text, tone }))
    .filter(({ text }) => text !== '');
  while (container.childElementCount > shown.length) container.lastElementChild?.remove();
  for (const [index, { text, tone }] of shown.entries()) {
    const known = container.children[index];
    const part = known instanceof HTMLElement ? known : container.appendChild(make('span', ''));
    const className = `figures ${cell} ${divided} ${tones[tone]}`;
    if (part.className !== className) part.className = className;
    write(part, text);
  }
}

function createHandle(
  { id, label: text, name }: LineHandle,
  draft: () => MovableLine | null,
  actions: PillActions,
) {
  const element = make(
    'button',
    `${button} ${divided} min-w-6 cursor-ns-resize touch-none justify-center pointer-coarse:min-w-11`,
  );
  element.type = 'button';
  element.setAttribute('data-handle', id);
  const shown = make('span', '');
  shown.textContent = text;
  element.append(...namedBy(name, shown).elements);
  element.addEventListener('pointerdown', (event) => {
    const line = draft();
    if (line) actions.press(event, line, { isDraft: true });
  });
  element.addEventListener('click', () => {
    const line = draft();
    if (line) actions.toggleDrag(line, { isDraft: true });
  });
  return element;
}

function display(element: HTMLElement, isShown: boolean): void {
  const value = isShown ? '' : 'none';
  if (element.style.display !== value) element.style.display = value;
}

/** Creates a pill for lines of the kind of `first`; its line is the one shown last. */
export function createPill(first: ShownLine, actions: PillActions, hintId: string): Pill {
  const { kind } = first.line;
  let shown = first;
  let handles: readonly LineHandle[] = noHandles;
  const element = make('div', '');
  element.setAttribute('role', 'group');
  element.setAttribute('data-line', kind);
  element.style.height = `${pillHeight}px`;

  const isGripped = isMovable(first.line);
  const body = make(
    isGripped ? 'button' : 'span',
    isGripped ? `${button} cursor-ns-resize touch-none rounded-l-[5px] !px-0` : 'flex h-full',
  );
  const head = make(
    'span',
    kind === 'entry'
      ? `${cell} rounded-l-[3px] bg-accent text-on-fill`
      : isGripped
        ? `${cell} pl-[5px]`
        : cell,
  );
  const figures = make('span', 'flex h-full');
  const grip = make('span', 'pl-[7px] text-text-3');
  grip.append(gripIcon());
  const named = isGripped ? namedBy(first.name, grip, head, figures) : null;
  body.append(...(named?.elements ?? [head, figures]));
  element.append(body);

  if (body instanceof HTMLButtonElement) {
    body.type = 'button';
    body.setAttribute('aria-describedby', hintId);
    const whenMovable = (action: (line: MovableLine) => void) => () => {
      if (isMovable(shown.line)) action(shown.line);
    };
    body.addEventListener('pointerdown', (event) =>
      whenMovable((line) => actions.press(event, line, { isDraft: false }))(),
    );
    body.addEventListener('click', (event) => {
      // The pointer handlers have already handled a pointer press.
      if (event.detail === 0) whenMovable((line) => actions.toggleDrag(line, { isDraft: false }))();
    });
    body.addEventListener('keydown', (event) => whenMovable((line) => actions.key(event, line))());
    body.addEventListener('blur', whenMovable(actions.blur));
  }

  const pulls = make('span', 'flex h-full text-text-2');
  const cross = make(
    'button',
    `${button} ${divided} min-w-6 justify-center text-text-2 hover:text-text pointer-coarse:min-w-11`,
  );
  cross.type = 'button';
  cross.append(crossIcon());
  cross.addEventListener('click', () => {
    const dismissal = 'dismissal' in shown.line ? shown.line.dismissal : null;
    if (dismissal) actions.dismiss(shown.line.id, dismissal);
  });
  const note = make(
    'span',
    'pointer-events-none absolute top-full right-0 mt-1 w-max max-w-[260px] rounded-control border border-down bg-surface px-2 py-1 text-down whitespace-normal',
  );

  element.append(pulls, cross, note);

  /** Elements stay while their handles do, because one of them may have the focus. */
  function showHandles(next: readonly LineHandle[]): void {
    if (next === handles) return;
    const isSame =
      next.length === handles.length &&
      next.every(({ id, name }, index) => handles[index]?.id === id && handles[index]?.name === name);
    handles = next;
    if (isSame) return;
    const draftOf = (id: string) => () => handles.find((handle) => handle.id === id)?.draft() ?? null;
    pulls.replaceChildren(...next.map((handle) => createHandle(handle, draftOf(handle.id), actions)));
  }

  return {
    element,
    show(next, { isNarrow }) {
      shown = next;
      const { line, fault, status, name } = next;
      const frame = fault === null ? frames[kind] : 'border-down text-down';
      const className = `absolute top-0 left-0 flex rounded-[5px] border bg-surface text-11 leading-none font-semibold whitespace-nowrap select-none ${frame} ${status === 'dragged' ? 'z-2 shadow-raised' : 'focus-within:z-1'} ${status === 'pending' ? 'opacity-60' : ''}`;
      if (element.className !== className) element.className = className;
      const isBusy = `${status === 'pending'}`;
      if (element.getAttribute('aria-busy') !== isBusy) element.setAttribute('aria-busy', isBusy);
      if (named) write(named.nameElement, name);
      else label(element, name);
      write(head, line.head);
      writeParts(figures, next.parts(), isNarrow);
      showHandles(line.kind === 'entry' ? line.handles : noHandles);
      const dismissal = 'dismissal' in line ? line.dismissal : null;
      if (dismissal) label(cross, dismissal.name);
      display(cross, dismissal !== null && status !== 'dragged');
      write(note, fault ?? '');
      display(note, fault !== null);
    },
    moveTo(at) {
      display(element, at !== null);
      if (!at) return;
      const transform = `translate(${Math.round(at.right)}px, ${Math.round(at.middle - pillHeight / 2)}px) translateX(-100%)`;
      if (element.style.transform !== transform) element.style.transform = transform;
    },
    focus: () => {
      const target = isGripped ? body : element.querySelector('button');
      target?.focus({ preventScroll: true });
    },
  };
}
